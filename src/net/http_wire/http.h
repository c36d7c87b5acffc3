// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/async/task.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// HTTP as seen by the clients of Kubernetes and Slurm. Independent of sockets: the simulation
// implements Transport directly.
namespace net::http::inline wire {

struct Header {
  Header(std::string header_name, std::string header_value)
      : name(std::move(header_name)), value(std::move(header_value)) {}

  std::string name;
  std::string value;
};

// Header names are compared without regard to case.
bool is_same_name(std::string_view a, std::string_view b);

// Whether a text is valid as a method or header name (RFC 9110 5.6.2), and as a header value:
// without line breaks and other control characters.
bool is_token(std::string_view text);
bool is_field_value(std::string_view text);

// Returns the first header of that name.
std::optional<std::string_view> find_header(const std::vector<Header>& headers,
                                            std::string_view name);

struct Request {
  Request(std::string request_method, std::string request_target, std::string request_body = {});

  std::optional<std::string_view> header(std::string_view name) const {
    return find_header(headers, name);
  }

  std::string method;
  std::string target;  // path and query, percent-encoded
  // Without Host, Content-Length, User-Agent, Connection and Transfer-Encoding: the transport sets
  // them.
  std::vector<Header> headers;
  std::string body;
  // May be sent again after a connection broke without an answer, although the first request may
  // have arrived. Default: true for GET, HEAD, PUT and DELETE.
  bool repeatable;
};

struct Response {
  Response(int response_status, std::vector<Header> response_headers, std::string response_body)
      : status(response_status),
        headers(std::move(response_headers)),
        body(std::move(response_body)) {}

  std::optional<std::string_view> header(std::string_view name) const {
    return find_header(headers, name);
  }

  int status;
  std::vector<Header> headers;
  std::string body;
};

// A body that is read while it arrives. Destroying it before its end closes its connection.
class Body {
 public:
  Body() = default;
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;
  virtual ~Body() = default;

  // Waits for more, appends it and returns the number of bytes; 0 when the body is complete.
  // Kind::lost: the connection broke, or nothing arrived by the deadline; Kind::protocol:
  // malformed. Bytes that arrived before an error are appended too; after an error every further
  // read fails the same way.
  virtual Task<base::Result<std::size_t>> read(std::string& append_to, base::Instant deadline) = 0;
};

struct StreamingResponse {
  StreamingResponse(int response_status,
                    std::vector<Header> response_headers,
                    std::unique_ptr<Body> response_body)
      : status(response_status),
        headers(std::move(response_headers)),
        body(std::move(response_body)) {}

  std::optional<std::string_view> header(std::string_view name) const {
    return find_header(headers, name);
  }

  int status;
  std::vector<Header> headers;
  std::unique_ptr<Body> body;
};

// Sends a request to one origin and returns the answer. No HTTP status is an error here.
//
// Errors      unreachable  no connection by the deadline: nothing was sent, certainly no effect
//             lost         sent at least in part, but no complete answer: possibly an effect
//             protocol     the answer is not HTTP, or is too large: possibly an effect
//             cancelled    the task was cancelled: possibly an effect
//             invalid      the request cannot be sent (a line break in a header, ...): no effect
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  // The complete answer by the deadline.
  virtual Task<base::Result<Response>> send(Request request, base::Instant deadline) = 0;
  // Status and headers by the deadline; the body as it arrives (watches, logs).
  virtual Task<base::Result<StreamingResponse>> open(Request request, base::Instant deadline) = 0;
};

}  // namespace net::http::inline wire
