// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "net/http/server.h"
#include "net/http_wire/request_parser.h"
#include "net/http_wire/response.h"
#include "net/transport/read_ahead.h"

#include <compare>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace net {

// One connection of an HttpServer, from its first byte to its end.
class ServerConnection {
 public:
  // Whether requests are served, or rejected because there are too many connections.
  enum class Purpose { serve, reject };

  struct Shared {
    Loop& loop;
    const http::Handler& handler;
    const HttpServerLimits& limits;
    const base::Log& log;
    // Called with the change of held(); may close this or another connection.
    std::function<void(std::ptrdiff_t change)> held_changed;
  };

  ServerConnection(Shared shared, std::unique_ptr<Stream> stream, Purpose purpose);

  // Serves requests in sequence. Returns when the connection is closed and none of its tasks runs.
  Task<void> run();

  // Priority of a waiting connection; the smallest is closed first when a slot is needed. A
  // connection that never sent a complete request comes before one that did; of equals, the one
  // that began to wait first.
  struct WaitingPriority {
    enum class For { first_request, next_request, rest_of_request, reading_the_answer };
    For what;
    base::Instant since;
    auto operator<=>(const WaitingPriority&) const = default;
  };
  // Empty while a handler works for it.
  const std::optional<WaitingPriority>& waiting_priority() const { return waiting_; }
  // Bytes held of an incomplete request.
  std::size_t held() const { return held_; }

  // Closes it at once.
  void close();
  bool closed() const { return closed_; }
  // Closes it when the request in progress is answered: at once if there is none.
  void wind_down();

 private:
  class Writer;
  using Waiting = WaitingPriority::For;

  // The properties of a request that its answer depends on.
  struct Asked {
    bool head;
    bool http11;
    bool keep_alive;
  };

  Task<void> converse();
  Task<base::Result<void>> receive();
  Task<base::Result<void>> receive_more(base::Instant deadline);
  Task<base::Result<bool>> respond(Asked asked, http::Answer answer);
  Task<base::Result<void>> send_whole(Asked asked, const http::Response& response);
  Task<base::Result<void>> send_stream(Asked asked, http::Answer answer);
  Task<base::Result<void>> produce(http::StreamBody body, bool chunked);
  Task<void> refuse(base::Error why);
  Task<void> linger();
  Task<base::Result<void>> write(std::string_view bytes);
  base::Instant deadline() const;
  void wait_for(Waiting what);
  void hold(std::size_t bytes);

  Shared shared_;
  std::unique_ptr<Stream> stream_;
  Purpose purpose_;
  bool closed_ = false;
  std::size_t held_ = 0;
  bool winding_down_ = false;
  bool served_one_ = false;
  std::optional<WaitingPriority> waiting_;
  base::Instant waiting_since_;     // for the first byte of a request
  base::Instant request_began_;     // its first byte, or the start of the connection
  TaskGroup* producing_ = nullptr;  // while a stream is sent
  Signal news_;
  ReadAhead ahead_;
  http::RequestParser parser_;
  TaskGroup reading_;
};

}  // namespace net
