// SPDX-License-Identifier: Apache-2.0
#include "diagnostics_server.h"

#include "net/async/task_group.h"
#include "telemetry/endpoints.h"
#include "telemetry/loop_lag.h"
#include "telemetry/process_metrics.h"

#include <optional>
#include <string>
#include <utility>

namespace app {
namespace {

using base::Result;

// Without files a self-signed certificate.
telemetry::ListenerTls tls_of(std::string certificate, std::string key) {
  return {"slurm-bridge", {std::move(certificate), std::move(key)}};
}

std::optional<telemetry::ListenerTls> metrics_tls(const DiagnosticsSettings& settings) {
  if (!settings.metrics_secure) return std::nullopt;
  const std::string& folder = settings.metrics_cert_path;
  if (folder.empty()) return tls_of("", "");
  return tls_of(folder + "/tls.crt", folder + "/tls.key");
}

}  // namespace

DiagnosticsServer::DiagnosticsServer(net::Loop& loop, base::Log log)
    : loop_(loop), listeners_(loop, std::move(log)) {
  telemetry::add_process_metrics(metrics_);
}

Result<void> DiagnosticsServer::listen(const DiagnosticsSettings& settings) {
  const auto probes = [this] { return telemetry::serve({telemetry::health_endpoint(health_)}); };
  if (auto done = listeners_.open("metrics",
                                  settings.metrics_address,
                                  telemetry::serve({telemetry::metrics_endpoint(metrics_)}),
                                  metrics_tls(settings));
      !done.ok()) {
    return std::move(done).error().in("--metrics-bind-address " + settings.metrics_address);
  }
  if (auto done = listeners_.open("probes", settings.probe_address, probes()); !done.ok())
    return std::move(done).error().in("--health-probe-bind-address " + settings.probe_address);
  if (auto done = listeners_.open("secure probes",
                                  settings.secure_address,
                                  probes(),
                                  tls_of(settings.tls_cert_file, settings.tls_key_file));
      !done.ok()) {
    return std::move(done).error().in("--secure-port " + settings.secure_address);
  }
  return {};
}

net::Task<void> DiagnosticsServer::run() {
  net::TaskGroup tasks(loop_);
  tasks.spawn("loop lag",
              telemetry::measure_loop_lag(loop_, telemetry::loop_lag_histogram(metrics_)));
  co_await listeners_.run();
  tasks.cancel();
  co_await tasks.join();
}

}  // namespace app
