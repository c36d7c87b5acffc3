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

// Limits of a client before its request is rejected or its connection is closed.
struct HttpServerLimits {
  std::size_t header_bytes = 64UL << 10U;  // 431
  std::uint64_t body_bytes = 8ULL << 20U;  // 413
  // From the connection, later from the first byte of a request, to the end of its header; includes
  // a TLS handshake. 408, or just a close if no byte of a request has arrived.
  base::Duration header_time = std::chrono::seconds(10);
  base::Duration request_time = std::chrono::seconds(30);  // to the end of its body: 408
  // Between two requests. Longer than the 90 s for which Go's clients keep a connection: the client
  // should close first, because it knows whether a request is in transit.
  base::Duration idle_time = std::chrono::seconds(120);
  base::Duration write_time = std::chrono::seconds(30);  // for an answer, or a part of a stream
  // After a rejection, for the client to read the answer: a close with unread bytes would discard
  // it.
  base::Duration linger_time = std::chrono::seconds(2);
  std::size_t connections = 1024;
  // Of all incomplete requests together. Above it, the request that has waited longest is dropped.
  std::size_t receiving_bytes = 128UL << 20U;
};

// Answers HTTP/1.1 (and 1.0) requests on any number of connections.
//
// Expects     stop() is awaited before it is destroyed; a handler ends when it is cancelled.
// Guarantees  a request reaches the handler complete and within the limits, or not at all. Requests
//             of one connection are answered in order. When all connections are in use, a new
//             connection replaces one that is waiting for its client: first a connection that has
//             never sent a complete request, so that clients that connect and send nothing cannot
//             block others. A new connection gets 503 only if every connection is being served by a
//             handler. An answer that cannot be sent as the handler made it (a line break in a
//             header) becomes 500 and is logged.
// Does not    support HTTP/2, upgrades or compression.
class HttpServer {
 public:
  HttpServer(Loop& loop,
             http::Handler handler,
             HttpServerLimits limits = {},
             base::Log log = base::Log());
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  // Serves all connections of the acceptor, until stop().
  void accept_from(std::unique_ptr<Acceptor> acceptor);
  // Serves one connection that is already established, as in a simulation.
  void serve(std::unique_ptr<Stream> stream);

  // Accepts no further connections, closes the idle ones, asks streams to end and lets requests in
  // progress finish until `grace_ends` (or until the waiting task is cancelled); then cancels them.
  // Returns when nothing is left.
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
