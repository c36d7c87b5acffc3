// SPDX-License-Identifier: Apache-2.0
#include "telemetry/listeners.h"

#include "net/async/task_group.h"

#include <chrono>
#include <utility>

namespace telemetry {
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

Listeners::Listener::Listener(net::Loop& loop,
                              net::http::Handler handler,
                              const base::Log& log,
                              std::unique_ptr<net::Acceptor> at)
    : server(loop, std::move(handler), limits(), log), acceptor(std::move(at)) {}

Result<std::unique_ptr<net::Acceptor>> Listeners::listen(const net::ListenAddress& address,
                                                         const std::optional<ListenerTls>& tls) {
  if (!tls) return net::listen_tcp(loop_, address);
  TRY(auto certificate,
      tls->files.certificate.empty() ? net::ServerCertificate::self_signed(tls->name)
                                     : net::ServerCertificate::load(tls->files, log_));
  TRY(auto acceptor, net::listen_tls(loop_, address, certificate));
  certificates_.push_back(std::move(certificate));
  return acceptor;
}

Result<void> Listeners::open(std::string_view what,
                             const std::string& address,
                             net::http::Handler handler,
                             const std::optional<ListenerTls>& tls) {
  if (is_off(address)) return {};
  TRY(const net::ListenAddress where, net::parse_listen_address(address));
  TRY(auto acceptor, listen(where, tls));
  log_.info("listening", {{"for", what}, {"port", acceptor->port()}});
  listeners_.push_back(
      std::make_unique<Listener>(loop_, std::move(handler), log_, std::move(acceptor)));
  return {};
}

net::Task<void> Listeners::run() {
  net::TaskGroup tasks(loop_);
  for (const auto& certificate : certificates_)
    tasks.spawn("certificate", certificate->keep_fresh(loop_));
  for (const auto& listener : listeners_)
    listener->server.accept_from(std::move(listener->acceptor));
  (void)co_await loop_.sleep_until(base::kNever);
  tasks.cancel();
  co_await tasks.join();
  for (const auto& listener : listeners_) co_await listener->server.stop(loop_.in(kGrace));
}

}  // namespace telemetry
