// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "base/result.h"
#include "net/async/loop.h"
#include "settings.h"
#include "telemetry/health.h"
#include "telemetry/listeners.h"
#include "telemetry/metrics.h"

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
  net::Loop& loop_;
  telemetry::Metrics metrics_;
  telemetry::Health health_;
  telemetry::Listeners listeners_;
};

}  // namespace app
