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
  std::uint64_t body_limit = 256ULL << 20U;  // for send(); what open() reads has no end
};

// HTTP/1.1 to one origin over kept connections.
//
// Guarantees  the errors of http::Transport. At most `most_in_use` requests of send() at a time;
//             the others wait in line, within their deadlines. open() has a connection of its own
//             beside them, so that watches do not use up the calls' connections. A request that is
//             repeatable is sent a second time, on a new connection, if the kept connection that it
//             went over turns out to have been closed before a byte of an answer came. Nothing else
//             is ever sent twice. What was sent stays out of every error message.
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

  std::shared_ptr<Core> core_;  // also held by requests and bodies that are under way
};

}  // namespace net
