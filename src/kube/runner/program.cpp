// SPDX-License-Identifier: Apache-2.0
#include "kube/runner/program.h"

#include "kube/auth/connect.h"
#include "kube/auth/kubeconfig.h"
#include "kube/client/call_name.h"
#include "net/process/os_signals.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace kube::inline runner {
namespace {

using base::Result;

constexpr const char* kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

void write_line(std::string_view line) {
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return value == nullptr ? "" : value;
}

Result<ClusterConfig> read_config(const std::string& kubeconfig) {
  TRY(ClusterConfig config,
      kubeconfig.empty() ? in_cluster_config(kServiceAccount,
                                             environment("KUBERNETES_SERVICE_HOST"),
                                             environment("KUBERNETES_SERVICE_PORT"))
                         : load_kubeconfig(kubeconfig));
  config.proxies =
      net::proxies_of([](const std::string& name) { return environment(name.c_str()); });
  return config;
}

// Unique for each process: a restarted process must not be mistaken for its predecessor.
std::string unique_identity(net::Loop& loop) {
  constexpr std::size_t kLongest = 256;
  std::array<char, kLongest> host{};
  (void)::gethostname(host.data(), host.size() - 1);
  return fmt::format("{}_{:016x}", host.data(), loop.random());
}

}  // namespace

Program::Program(ProgramOptions options)
    : options_(std::move(options)),
      loop_(clock_),
      log_(write_line, clock_, options_.log_format, options_.log_level) {}

Program::~Program() = default;

Result<void> Program::connect() {
  TRY(config_, read_config(options_.kubeconfig));
  credentials_ = config_.credentials(loop_);
  TRY(to_server_, kube::connect(loop_, config_, credentials_, options_.name));
  TRY(to_leases_, kube::connect(loop_, config_, credentials_, options_.name));
  lease_client_ = std::make_unique<Client>(*to_leases_, credentials_);
  metered_ = std::make_unique<telemetry::MeteredTransport>(
      loop_,
      *to_server_,
      telemetry::CallMetrics::add_to(metrics_, "kube", "the API server"),
      call_name);
  client_ = std::make_unique<Client>(*metered_, credentials_);

  RunnerOptions options;
  options.probe_address = options_.probe_address;
  options.metrics_address = options_.metrics_address;
  options.metrics_tls = options_.metrics_tls;
  if (options_.lease) {
    ObjectKey lease = *options_.lease;
    if (lease.ns.empty()) lease.ns = config_.ns.empty() ? "default" : config_.ns;
    options.election = Election::Options{std::move(lease), unique_identity(loop_)};
  }
  runner_ = std::make_unique<Runner>(access(), *lease_client_, metrics_, std::move(options));
  return runner_->listen();
}

Result<std::unique_ptr<Program>> Program::make(ProgramOptions options) {
  std::unique_ptr<Program> program(new Program(std::move(options)));
  TRY_VOID(program->connect());
  return program;
}

int Program::run() {
  net::TaskGroup root(loop_);
  int exit_code = 0;
  root.spawn("program", [&]() -> net::Task<void> {
    net::TaskGroup waiting(loop_);
    waiting.spawn("signals", [&]() -> net::Task<void> {
      const int signal = co_await net::wait_for_stop_signal(loop_);
      if (signal == 0) co_return;
      log_.info("stopping", {{"signal", signal}});
      runner_->stop();
    });
    const auto outcome = co_await runner_->run();
    if (!outcome.ok()) {
      log_.error("ended", {{"error", outcome.error()}});
      exit_code = 1;
    }
    waiting.cancel();
    co_await waiting.join();
  });
  loop_.run();
  return exit_code;
}

}  // namespace kube::inline runner
