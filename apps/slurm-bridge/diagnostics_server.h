// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "base/result.h"
#include "net/async/loop.h"
#include "net/http/server.h"
#include "net/transport/acceptor.h"
#include "net/transport/server_certificate.h"
#include "settings.h"
#include "telemetry/health.h"
#include "telemetry/metrics.h"

#include <memory>
#include <vector>

namespace app {

// Serves the diagnostics of this process: /metrics at one address, /healthz and /readyz at another,
// and the probes again over TLS at the port of kube-scheduler.
//
// Expects     everything that was added to metrics() and health() outlives run().
class DiagnosticsServer {
 public:
  DiagnosticsServer(net::Loop& loop, base::Log log);

  telemetry::Metrics& metrics() { return metrics_; }
  telemetry::Health& health() { return health_; }

  // Opens the addresses. An error names the flag whose address cannot be used.
  base::Result<void> listen(const DiagnosticsSettings& settings);

  // Serves until cancelled.
  net::Task<void> run();

 private:
  struct Place {
    Place(net::Loop& loop,
          net::http::Handler handler,
          const base::Log& log,
          std::unique_ptr<net::Acceptor> at);

    net::HttpServer server;
    std::unique_ptr<net::Acceptor> acceptor;
  };

  base::Result<void> listen_for_metrics(const DiagnosticsSettings& settings);
  base::Result<void> listen_for_probes(const DiagnosticsSettings& settings);
  base::Result<void> listen_for_secure_probes(const DiagnosticsSettings& settings);
  void open(std::string_view what, net::http::Handler handler, std::unique_ptr<net::Acceptor> at);

  net::Loop& loop_;
  base::Log log_;
  telemetry::Metrics metrics_;
  telemetry::Health health_;
  std::vector<std::shared_ptr<net::ServerCertificate>> certificates_;  // of the servers with TLS
  std::vector<std::unique_ptr<Place>> places_;
};

}  // namespace app
