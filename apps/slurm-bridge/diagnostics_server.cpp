// SPDX-License-Identifier: Apache-2.0
#include "diagnostics_server.h"

#include "telemetry/endpoints.h"
#include "telemetry/loop_lag.h"
#include "telemetry/process_metrics.h"

#include <utility>

namespace app {
namespace {

using base::Result;
using namespace std::chrono_literals;

constexpr auto kGrace = 1s;

// Probes and scrapes are small and few; larger limits are not needed.
net::HttpServerLimits limits() {
  net::HttpServerLimits limits;
  limits.header_bytes = 16UL << 10U;
  limits.body_bytes = 4UL << 10U;
  limits.connections = 64;
  limits.receiving_bytes = 1UL << 20U;
  return limits;
}

// "0" is the usual value of Go programs for "do not listen".
bool is_off(const std::string& address) {
  return address.empty() || address == "0";
}

}  // namespace

DiagnosticsServer::Place::Place(net::Loop& loop,
                                net::http::Handler handler,
                                const base::Log& log,
                                std::unique_ptr<net::Acceptor> at)
    : server(loop, std::move(handler), limits(), log), acceptor(std::move(at)) {}

DiagnosticsServer::DiagnosticsServer(net::Loop& loop, base::Log log)
    : loop_(loop), log_(std::move(log)) {
  telemetry::add_process_metrics(metrics_);
}

Result<void> DiagnosticsServer::listen(const DiagnosticsSettings& settings) {
  if (auto done = listen_for_metrics(settings); !done.ok())
    return std::move(done).error().in("--metrics-bind-address " + settings.metrics_address);
  if (auto done = listen_for_probes(settings); !done.ok())
    return std::move(done).error().in("--health-probe-bind-address " + settings.probe_address);
  if (auto done = listen_for_secure_probes(settings); !done.ok())
    return std::move(done).error().in("--secure-port " + settings.secure_address);
  return {};
}

Result<void> DiagnosticsServer::listen_for_metrics(const DiagnosticsSettings& settings) {
  if (is_off(settings.metrics_address)) return {};
  TRY(const net::ListenAddress address, net::parse_listen_address(settings.metrics_address));
  std::unique_ptr<net::Acceptor> acceptor;
  if (settings.metrics_secure) {
    const std::string& folder = settings.metrics_cert_path;
    TRY(auto certificate,
        folder.empty()
            ? net::ServerCertificate::self_signed("slurm-bridge")
            : net::ServerCertificate::load({folder + "/tls.crt", folder + "/tls.key"}, log_));
    TRY(acceptor, net::listen_tls(loop_, address, certificate));
    certificates_.push_back(std::move(certificate));
  } else {
    TRY(acceptor, net::listen_tcp(loop_, address));
  }
  open("metrics", telemetry::serve({telemetry::metrics_endpoint(metrics_)}), std::move(acceptor));
  return {};
}

Result<void> DiagnosticsServer::listen_for_probes(const DiagnosticsSettings& settings) {
  if (is_off(settings.probe_address)) return {};
  TRY(const net::ListenAddress address, net::parse_listen_address(settings.probe_address));
  TRY(auto acceptor, net::listen_tcp(loop_, address));
  open("probes", telemetry::serve({telemetry::health_endpoint(health_)}), std::move(acceptor));
  return {};
}

Result<void> DiagnosticsServer::listen_for_secure_probes(const DiagnosticsSettings& settings) {
  if (is_off(settings.secure_address)) return {};
  TRY(const net::ListenAddress address, net::parse_listen_address(settings.secure_address));
  TRY(auto certificate,
      settings.tls_cert_file.empty()
          ? net::ServerCertificate::self_signed("slurm-bridge")
          : net::ServerCertificate::load({settings.tls_cert_file, settings.tls_key_file}, log_));
  TRY(auto acceptor, net::listen_tls(loop_, address, certificate));
  certificates_.push_back(std::move(certificate));
  open("secure probes",
       telemetry::serve({telemetry::health_endpoint(health_)}),
       std::move(acceptor));
  return {};
}

void DiagnosticsServer::open(std::string_view what,
                             net::http::Handler handler,
                             std::unique_ptr<net::Acceptor> at) {
  log_.info("listening", {{"for", what}, {"port", at->port()}});
  places_.push_back(std::make_unique<Place>(loop_, std::move(handler), log_, std::move(at)));
}

net::Task<void> DiagnosticsServer::run() {
  net::TaskGroup tasks(loop_);
  tasks.spawn("loop lag",
              telemetry::measure_loop_lag(loop_, telemetry::loop_lag_histogram(metrics_)));
  for (const auto& certificate : certificates_)
    tasks.spawn("certificate", certificate->keep_fresh(loop_));
  for (const auto& place : places_) place->server.accept_from(std::move(place->acceptor));
  (void)co_await loop_.sleep_until(base::kNever);
  tasks.cancel();
  co_await tasks.join();
  for (const auto& place : places_) co_await place->server.stop(loop_.in(kGrace));
}

}  // namespace app
