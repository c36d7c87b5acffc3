// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "kube/auth/credentials.h"
#include "net/async/task.h"
#include "net/http_wire/http.h"

#include <string>
#include <string_view>

namespace kube::inline client {

// The type of a PATCH body.
enum class PatchType { merge, json, strategic, apply };

// Which part of objects an answer to GET contains.
enum class Content {
  whole,
  metadata,       // of one object, or of the objects of a watch: PartialObjectMetadata
  metadata_list,  // of the objects of a list
};

// Calls to one API server.
//
// Guarantees  every answer that is not 2xx is an Error whose kind follows from the status and the
//             server's Status object, with the server's message; Retry-After of a 429 is kept;
//             after a 401 the credentials are read again before the next call.
// Does not    retry, cache or know kinds: the callers do.
class Client {
 public:
  Client(net::http::Transport& transport, Credentials& credentials)
      : transport_(transport), credentials_(credentials) {}

  // Returns the body of a 2xx answer.
  net::Task<base::Result<std::string>> get(std::string target,
                                           base::Instant deadline,
                                           Content content = Content::whole);
  net::Task<base::Result<std::string>> post(std::string target,
                                            json::Value body,
                                            base::Instant deadline);
  net::Task<base::Result<std::string>> patch(std::string target,
                                             PatchType type,
                                             json::Value body,
                                             base::Instant deadline);
  // Replaces the whole object: with its resourceVersion only that version.
  net::Task<base::Result<std::string>> put(std::string target,
                                           json::Value body,
                                           base::Instant deadline);
  net::Task<base::Result<std::string>> remove(std::string target,
                                              json::Value options,
                                              base::Instant deadline);

  // Returns a 2xx answer whose body arrives in parts: a watch.
  net::Task<base::Result<net::http::StreamingResponse>> stream(std::string target,
                                                               base::Instant deadline,
                                                               Content content = Content::whole);

 private:
  net::Task<base::Result<net::http::Request>> request(std::string method,
                                                      std::string target,
                                                      base::Instant deadline,
                                                      Content content = Content::whole);
  // Headers of a request.
  struct Body {
    std::string_view type;
    json::Value content;
  };
  net::Task<base::Result<std::string>> write(std::string method,
                                             std::string target,
                                             Body body,
                                             base::Instant deadline);
  net::Task<base::Result<std::string>> call(net::http::Request request, base::Instant deadline);
  base::Error error_answer(int status,
                           std::string_view body,
                           const std::vector<net::http::Header>& headers);

  net::http::Transport& transport_;
  Credentials& credentials_;
};

// Converts an answer to an Error: the kind from the status, the message from the Status object if
// there is one.
base::Error error_of(int status,
                     std::string_view body,
                     const std::vector<net::http::Header>& headers);

}  // namespace kube::inline client
