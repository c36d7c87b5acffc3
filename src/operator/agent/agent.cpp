// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/agent.h"

#include "base/clock.h"
#include "base/log.h"
#include "net/async/loop.h"
#include "net/async/task_group.h"
#include "net/http/server.h"
#include "net/process/os_signals.h"
#include "net/transport/acceptor.h"
#include "operator/agent/endpoints.h"
#include "operator/agent/keeper.h"
#include "operator/agent/running_program.h"
#include "operator/agent/slurm_programs.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace slurmop::agent {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr base::Duration kGrace = std::chrono::seconds(2);
constexpr base::Duration kReapInterval = std::chrono::seconds(5);

void write_line(std::string_view line) {
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

Result<std::string> host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) {
    return Error(Kind::internal, "this machine has no name");
  }
  const std::string_view full(name.data());
  return std::string(full.substr(0, full.find('.')));
}

Result<std::unique_ptr<net::Acceptor>> listen(net::Loop& loop, const std::string& address) {
  TRY(const net::ListenAddress parsed, net::parse_listen_address(address));
  return net::listen_tcp(loop, parsed);
}

Result<std::unique_ptr<SlurmPrograms>> programs(net::Loop& loop, const AgentOptions& options) {
  TRY(std::string host, host_name());
  return SlurmPrograms::make(loop,
                             {.programs = options.programs,
                              .work_folder = options.work_folder,
                              .active_folder = options.active,
                              .host = std::move(host)});
}

net::Task<void> reap_periodically(net::Loop& loop) {
  while ((co_await loop.sleep_for(kReapInterval)).ok()) reap_orphans();
}

// Serves and keeps until a signal; then a running check is ended and requests are finished.
net::Task<void> run_until_stopped(net::Loop& loop,
                                  base::Log log,
                                  ConfigKeeper& keeper,
                                  std::unique_ptr<net::Acceptor> acceptor) {
  net::HttpServer server(loop,
                         handler({.report = [&] { return keeper.report(); },
                                  .missing = [&] { return keeper.missing(); }}),
                         {},
                         log);
  server.accept_from(std::move(acceptor));
  net::TaskGroup keeping(loop);
  keeping.spawn("keeper", keeper.run());
  keeping.spawn("orphans", reap_periodically(loop));
  const int signal = co_await net::wait_for_stop_signal(loop);
  log.info("stopping", {{"signal", signal}});
  keeping.cancel();
  co_await keeping.join();
  co_await server.stop(loop.in(kGrace));
}

}  // namespace

int run_config_agent(const AgentOptions& options) {
  base::RealClock clock;
  net::Loop loop(clock);
  const base::Log log(write_line, clock, options.log_format, options.log_level);
  const auto fail = [&](const Error& error) {
    log.error("cannot start", {{"error", error}});
    return 1;
  };
  auto acceptor = listen(loop, options.listen);
  if (!acceptor.ok()) return fail(std::move(acceptor).error().in("--listen " + options.listen));
  const auto slurm = programs(loop, options);
  if (!slurm.ok()) return fail(slurm.error());
  ConfigKeeper keeper(loop, log, **slurm, {options.candidate, options.active, options.saved});
  net::TaskGroup root(loop);
  root.spawn("agent", run_until_stopped(loop, log, keeper, std::move(*acceptor)));
  loop.run();
  return 0;
}

}  // namespace slurmop::agent
