// SPDX-License-Identifier: Apache-2.0
#include "manager.h"

#include "kube/runner/program.h"
#include "operator/process/operator.h"
#include "operator/process/webhook.h"
#include "version.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <optional>
#include <unistd.h>

namespace operator_app {
namespace {

using base::Result;
namespace process = slurmop::process;

constexpr const char* kLease = "e21479ae.nebius.ai";  // soperator's: both exclude each other

std::string user_agent() {
  return fmt::format("slurm-operator/{}", app::kVersion);
}

std::string host_name() {
  constexpr std::size_t kLongest = 256;
  std::array<char, kLongest> host{};
  (void)::gethostname(host.data(), host.size() - 1);
  return host.data();
}

kube::ProgramOptions program_options(const Settings& settings) {
  kube::ProgramOptions options;
  options.name = user_agent();
  options.kubeconfig = settings.kubeconfig;
  if (settings.leader_elect) options.lease = {settings.operator_namespace, kLease};
  options.probe_address = settings.probe_address;
  options.metrics_address = settings.metrics_address;
  if (settings.metrics_secure) options.metrics_tls = telemetry::ListenerTls{"slurm-operator"};
  options.log_format = settings.log_format;
  options.log_level = settings.log_level;
  return options;
}

process::OperatorOptions operator_options(const Settings& settings) {
  process::OperatorOptions options;
  options.defaults = settings.defaults;
  options.namespaces = settings.namespaces;
  options.workers = static_cast<std::size_t>(settings.workers);
  options.instance = host_name();
  options.user_agent = user_agent();
  return options;
}

Result<process::WebhookOptions> webhook_options(const Settings& settings, const std::string& ns) {
  process::WebhookOptions options;
  auto address = net::parse_listen_address(settings.webhook.address);
  if (!address.ok()) return std::move(address).error().in("-webhook-bind-address");
  options.address = *std::move(address);
  options.secret = {ns, settings.webhook.secret};
  options.service = settings.webhook.service;
  options.configuration = settings.webhook.configuration;
  return options;
}

// Ends the process if the API server does not answer, or does not permit a list.
net::Task<void> check_caches(kube::Program& program,
                             const process::Stores& stores,
                             base::Duration timeout,
                             int& exit_code) {
  if (!(co_await program.loop().sleep_for(timeout)).ok() || stores.synced()) co_return;
  program.log().error("the caches are not filled in time; see the warnings about list and watch");
  exit_code = 1;
  program.runner().stop();
}

int fail(const base::Error& error) {
  (void)std::fprintf(stderr, "slurm-operator: cannot start: %s\n", error.message().c_str());
  return 1;
}

}  // namespace

int run_manager(const Settings& settings) {
  auto made = kube::Program::make(program_options(settings));
  if (!made.ok()) return fail(made.error());
  kube::Program& program = **made;
  for (const std::string& warning : settings.warnings) program.log().warn(warning);
  program.log().info("starting", {{"version", app::kVersion}});

  process::Operator slurm_operator(program.access(), operator_options(settings));
  slurm_operator.add_to(program.runner());
  std::optional<process::Webhook> webhook;
  if (settings.webhook.enabled) {
    const std::string& own = settings.operator_namespace;
    auto options = webhook_options(settings, own.empty() ? program.ns() : own);
    if (!options.ok()) return fail(options.error());
    webhook.emplace(
        program.access(), slurm_operator.stores(), settings.defaults, *std::move(options));
    webhook->add_to(program.runner());
  }
  int exit_code = 0;
  program.runner().add_everywhere("cache check", [&] {
    return check_caches(program, slurm_operator.stores(), settings.cache_sync_timeout, exit_code);
  });
  const int ended = program.run();
  return ended != 0 ? ended : exit_code;
}

}  // namespace operator_app
