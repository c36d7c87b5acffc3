// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/readyz.h"

#include "net/http/client.h"
#include "net/transport/acceptor.h"
#include "net/transport/connector.h"

#include <fmt/format.h>

#include <memory>
#include <unistd.h>
#include <utility>

namespace slurmop::agent {
namespace {

using base::Kind;

constexpr const char* kLoopback = "127.0.0.1";
constexpr int kReady = 204;

}  // namespace

net::Task<Readiness> ask_readyz(net::Loop& loop, std::uint16_t port, base::Instant deadline) {
  net::HttpOptions options;
  options.authority = fmt::format("{}:{}", kLoopback, port);
  options.user_agent = "slurm-operator-config-agent";
  net::HttpClient client(
      loop, std::make_unique<net::TcpConnector>(loop, kLoopback, port), std::move(options));
  net::http::Request request("GET", "/readyz");
  const auto answer = co_await client.send(std::move(request), deadline);
  if (!answer.ok()) {
    co_return answer.error().is(Kind::unreachable) ? Readiness::unreachable : Readiness::not_ready;
  }
  co_return answer->status == kReady ? Readiness::ready : Readiness::not_ready;
}

base::Result<std::uint16_t> free_port(net::Loop& loop) {
  constexpr std::uint16_t kFirst = 20000;
  constexpr std::uint16_t kCount = 10000;
  constexpr int kTries = 100;
  // The number of the process: loops of two tests may have the same seed.
  const auto own = static_cast<std::uint64_t>(::getpid());
  for (int i = 0; i < kTries; ++i) {
    const auto port = static_cast<std::uint16_t>(kFirst + (loop.random() + own) % kCount);
    const net::ListenAddress address{.host = kLoopback, .port = port};
    if (net::listen_tcp(loop, address).ok()) return port;
  }
  return base::Error(Kind::unavailable, "no free port was found");
}

}  // namespace slurmop::agent
