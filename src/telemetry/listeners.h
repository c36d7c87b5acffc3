// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "base/result.h"
#include "net/async/loop.h"
#include "net/http/server.h"
#include "net/transport/acceptor.h"
#include "net/transport/server_certificate.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace telemetry {

// TLS of a listener.
struct ListenerTls {
  std::string name;                          // in the self-signed certificate
  net::ServerCertificate::Files files = {};  // both empty: a self-signed certificate
};

// Servers for probes and scrapes, each at its own address.
//
// Expects     that loop and handlers outlive it.
// Guarantees  an address is taken by open(), so that an address that is in use is an error at start;
//             requests are answered from run() on; certificate files that change are read again.
class Listeners {
 public:
  Listeners(net::Loop& loop, base::Log log) : loop_(loop), log_(std::move(log)) {}
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;

  // "" and "0" are no address: nothing is opened. `what` is for the log ("metrics").
  base::Result<void> open(std::string_view what,
                          const std::string& address,
                          net::http::Handler handler,
                          const std::optional<ListenerTls>& tls = std::nullopt);

  // Answers until it is cancelled, then ends the open connections.
  net::Task<void> run();

 private:
  struct Listener {
    Listener(net::Loop& loop,
             net::http::Handler handler,
             const base::Log& log,
             std::unique_ptr<net::Acceptor> at);

    net::HttpServer server;
    std::unique_ptr<net::Acceptor> acceptor;
  };

  base::Result<std::unique_ptr<net::Acceptor>> listen(const net::ListenAddress& address,
                                                      const std::optional<ListenerTls>& tls);

  net::Loop& loop_;
  base::Log log_;
  std::vector<std::shared_ptr<net::ServerCertificate>> certificates_;
  std::vector<std::unique_ptr<Listener>> listeners_;
};

}  // namespace telemetry
