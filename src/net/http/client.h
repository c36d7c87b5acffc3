// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/async/fwd.h"
#include "net/http_wire/http.h"
#include "net/transport/connector.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace net {

struct HttpOptions {
  std::string authority;   // the Host header: Url::authority()
  std::string user_agent;  // "slurm-bridge/1.2.3"
  std::size_t most_in_use = 8;
  std::size_t most_idle = 8;
  base::Duration longest_idle = std::chrono::seconds(60);
  std::size_t header_limit = 64UL << 10U;
  std::uint64_t body_limit = 256ULL << 20U;  // for send(); the body of open() is unlimited
};

// HTTP/1.1 to one origin over persistent connections.
//
// Guarantees  the errors of http::Transport. At most `most_in_use` requests of send() run at the
//             same time; further requests queue within their deadlines. open() uses a separate
//             connection, so that watches do not take connections from send(). A repeatable request
//             is sent a second time, on a new connection, only if its reused connection turns out
//             to have been closed before a byte of an answer arrived. Nothing else is ever sent
//             twice. Error messages never contain what was sent.
// Does not    follow redirects or decode contents.
class HttpClient final : public http::Transport {
 public:
  HttpClient(Loop& loop, std::unique_ptr<Connector> connector, HttpOptions options);
  ~HttpClient() override;

  Task<base::Result<http::Response>> send(http::Request request, base::Instant deadline) override;
  Task<base::Result<http::StreamingResponse>> open(http::Request request,
                                                   base::Instant deadline) override;

  std::size_t idle() const;
  std::size_t in_use() const;
  std::size_t waiting() const;

 private:
  class Core;
  class OpenBody;

  std::shared_ptr<Core> core_;  // shared with requests and bodies in progress
};

}  // namespace net
