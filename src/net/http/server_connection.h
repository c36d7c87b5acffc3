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
  // What a connection is for, as seen by the server.
  enum class Purpose { serve, turn_away };

  struct Shared {
    Loop& loop;
    const http::Handler& handler;
    const HttpServerLimits& limits;
    const base::Log& log;
    // Told how held() changes; may close this or another connection.
    std::function<void(std::ptrdiff_t change)> held_changed;
  };

  ServerConnection(Shared shared, std::unique_ptr<Stream> stream, Purpose purpose);

  // Serves request after request. Returns when the connection is over and nothing of it runs.
  Task<void> run();

  // How much a connection keeps us waiting; the smallest is the first to go when room is needed.
  // Who never asked a whole question goes before who did; of those the one that came first.
  struct KeepsWaiting {
    enum class For { first_request, next_request, rest_of_request, reading_the_answer };
    For what;
    base::Instant since;
    auto operator<=>(const KeepsWaiting&) const = default;
  };
  // Nothing while a handler works for it.
  const std::optional<KeepsWaiting>& keeps_waiting() const { return waiting_; }
  // Bytes of a request that is not complete.
  std::size_t held() const { return held_; }

  // Ends it at once.
  void close();
  bool closed() const { return closed_; }
  // Ends it when the request in progress is answered: at once if there is none.
  void wind_down();

 private:
  class Writer;
  using Waiting = KeepsWaiting::For;

  // What of a request is needed to answer it.
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
  std::optional<KeepsWaiting> waiting_;
  base::Instant waiting_since_;     // for the first byte of a request
  base::Instant request_began_;     // its first byte, or the connection
  TaskGroup* producing_ = nullptr;  // while a stream is sent
  Signal news_;
  ReadAhead ahead_;
  http::RequestParser parser_;
  TaskGroup reading_;
};

}  // namespace net
