// SPDX-License-Identifier: Apache-2.0
#include "net/http/server.h"

#include "net/async/loop.h"
#include "net/http/server_connection.h"

#include <algorithm>
#include <utility>

namespace net {

using Purpose = ServerConnection::Purpose;
using namespace std::chrono_literals;

HttpServer::HttpServer(Loop& loop, http::Handler handler, HttpServerLimits limits, base::Log log)
    : loop_(loop),
      handler_(std::move(handler)),
      limits_(limits),
      log_(std::move(log)),
      left_(loop),
      accepting_(loop),
      serving_(loop) {}

HttpServer::~HttpServer() = default;

void HttpServer::accept_from(std::unique_ptr<Acceptor> acceptor) {
  accepting_.spawn("http server", accept_all(std::move(acceptor)));
}

Task<void> HttpServer::accept_all(std::unique_ptr<Acceptor> acceptor) {
  constexpr auto kRetryInterval = 100ms;
  constexpr auto kLogInterval = 60s;
  base::Instant next_log_at = base::Instant::min();
  for (;;) {
    auto stream = co_await acceptor->accept();
    if (stream.ok()) {
      serve(std::move(*stream));
      continue;
    }
    if (stream.error().is(base::Kind::cancelled)) co_return;
    if (loop_.now() >= next_log_at) {
      log_.warn("cannot accept connections", {{"error", stream.error()}});
      next_log_at = loop_.in(kLogInterval);
    }
    make_room();  // probably there are no file descriptors left
    if (!(co_await loop_.sleep_for(kRetryInterval)).ok()) co_return;
  }
}

void HttpServer::serve(std::unique_ptr<Stream> stream) {
  if (stopping_) return;
  const auto open = static_cast<std::size_t>(
      std::ranges::count_if(connections_, [](const auto& one) { return !one->closed(); }));
  const bool made_room = open >= limits_.connections && make_room();
  const bool room = open < limits_.connections + (made_room ? 1 : 0);
  // A rejection also needs a connection; their number is limited too.
  if (!room && !made_room && open > limits_.connections + limits_.connections / 8) return;

  const ServerConnection::Shared shared{
      loop_, handler_, limits_, log_, [this](std::ptrdiff_t change) { count_received(change); }};
  const auto place =
      connections_.insert(connections_.end(),
                          std::make_unique<ServerConnection>(
                              shared, std::move(stream), room ? Purpose::serve : Purpose::reject));
  serving_.spawn("http connection", [this, place]() -> Task<void> {
    co_await (*place)->run();
    connections_.erase(place);
    left_.notify();
  });
}

bool HttpServer::make_room() {
  return close_first([](const ServerConnection&) { return true; });
}

void HttpServer::count_received(std::ptrdiff_t change) {
  receiving_ += static_cast<std::size_t>(change);
  const auto holds_something = [](const ServerConnection& one) { return one.held() > 0; };
  while (receiving_ > limits_.receiving_bytes && close_first(holds_something)) {
  }
}

// Closes the connection with the smallest priority among those that qualify.
bool HttpServer::close_first(bool (*qualifies)(const ServerConnection&)) {
  ServerConnection* first = nullptr;
  for (const auto& one : connections_) {
    if (one->closed() || !one->waiting_priority() || !qualifies(*one)) continue;
    if (first == nullptr || *one->waiting_priority() < *first->waiting_priority())
      first = one.get();
  }
  if (first == nullptr) return false;
  first->close();
  return true;
}

Task<void> HttpServer::stop(base::Instant grace_ends) {
  stopping_ = true;
  accepting_.cancel();
  for (const auto& one : connections_) one->wind_down();
  while (!connections_.empty()) {
    const auto woken = co_await left_.wait_until(grace_ends);
    if (!woken.ok() || loop_.now() >= grace_ends) break;
  }
  serving_.cancel();
  co_await serving_.join();
  co_await accepting_.join();
}

}  // namespace net
