// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "net/async/fwd.h"
#include "net/async/signal.h"
#include "net/async/task_group.h"
#include "net/http/handler.h"
#include "net/transport/acceptor.h"
#include "net/transport/stream.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>

namespace net {

class ServerConnection;

// What a client may take of us before it is turned down or cut off.
struct HttpServerLimits {
  std::size_t header_bytes = 64UL << 10U;  // 431
  std::uint64_t body_bytes = 8ULL << 20U;  // 413
  // From the connection, later from a request's first byte, to the end of its header; a TLS
  // handshake counts. 408, or just the end if nothing of a request has come.
  base::Duration header_time = std::chrono::seconds(10);
  base::Duration request_time = std::chrono::seconds(30);  // to the end of its body: 408
  // Between two requests. Longer than the 90 s that Go's clients keep a connection: who closes
  // first should be the one who knows whether a request is on its way.
  base::Duration idle_time = std::chrono::seconds(120);
  base::Duration write_time = std::chrono::seconds(30);  // for an answer, or a piece of a stream
  // After a refusal, for the client to read why: closing with unread bytes would destroy it.
  base::Duration linger_time = std::chrono::seconds(2);
  std::size_t connections = 1024;
  // Of all requests together that have not arrived completely. Above it the one that we wait for
  // longest is given up.
  std::size_t receiving_bytes = 128UL << 20U;
};

// Answers HTTP/1.1 (and 1.0) requests on any number of connections.
//
// Guarantees  a request reaches the handler whole and within the limits, or not at all. Requests of
//             one connection are answered in their order. When all connections are taken, one that
//             has kept us waiting is closed in favour of a newcomer, first who never asked a whole
//             question, and only if all of them are at work the newcomer gets 503: clients that
//             connect and say nothing cannot lock others out. An answer that cannot be sent as the
//             handler made it (a line break in a header) is 500 and logged.
// Expects     stop() awaited before it is destroyed; a handler that ends when it is cancelled.
// Does not    speak HTTP/2, upgrade connections or compress.
class HttpServer {
 public:
  HttpServer(Loop& loop,
             http::Handler handler,
             HttpServerLimits limits = {},
             base::Log log = base::Log());
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  // Serves everybody who comes there, until stop().
  void accept_from(std::unique_ptr<Acceptor> acceptor);
  // Serves one connection that stands already, as a simulation makes them.
  void serve(std::unique_ptr<Stream> stream);

  // Takes no further connections, closes the idle ones, asks streams to end and lets the requests
  // in progress finish until `grace_ends` (or until the waiting task is cancelled); then cancels
  // them. Returns when nothing is left.
  Task<void> stop(base::Instant grace_ends);

  std::size_t connections() const { return connections_.size(); }

 private:
  Task<void> accept_all(std::unique_ptr<Acceptor> acceptor);
  bool make_room();
  bool close_first(bool (*qualifies)(const ServerConnection&));
  void count_received(std::ptrdiff_t change);

  Loop& loop_;
  http::Handler handler_;
  HttpServerLimits limits_;
  base::Log log_;
  bool stopping_ = false;
  std::size_t receiving_ = 0;  // bytes
  std::list<std::unique_ptr<ServerConnection>> connections_;
  Signal left_;
  TaskGroup accepting_;
  TaskGroup serving_;
};

}  // namespace net
