// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include "base/flags.h"
#include "version.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <string_view>

namespace app {
namespace {

using base::Flags;

constexpr std::string_view kUsage =
    "slurm-bridge: Kubernetes pods scheduled by Slurm\n"
    "\n"
    "  slurm-bridge all          every role in one process\n"
    "  slurm-bridge scheduler    turns pods into Slurm jobs and binds them where Slurm placed "
    "them\n"
    "  slurm-bridge controllers  keeps pods and jobs in step\n"
    "  slurm-bridge admission    completes and judges pods before they exist (a webhook)\n"
    "  slurm-bridge version\n"
    "\n"
    "slurm-bridge ROLE --help lists the flags of a role.\n";

std::optional<Role> role_named(std::string_view name) {
  if (name == "all") return Role::all;
  if (name == "scheduler") return Role::scheduler;
  if (name == "controllers") return Role::controllers;
  if (name == "admission") return Role::admission;
  return std::nullopt;
}

// The Leases of SlinkyProject/slurm-bridge, so that its processes and ours exclude each other while
// a cluster is switched over.
std::vector<std::string> reference_leases(Role role, const std::string& scheduler_name) {
  const std::string controllers = "69d5fe47.my.slinky.slurm.net";
  switch (role) {
    case Role::scheduler: return {scheduler_name};
    case Role::controllers: return {controllers};
    case Role::all: return {scheduler_name, controllers};
    case Role::admission: return {};  // as many as you like
  }
  return {};
}

Command leave(int code, std::string text) {
  Command command;
  command.exit_code = code;
  command.print = std::move(text);
  return command;
}

void add_observed_flags(Flags& flags, Observed& observed) {
  flags.add("metrics-bind-address",
            &observed.metrics_address,
            "where /metrics is served, such as :8080 or 127.0.0.1:8080; 0: nowhere");
  flags.add("health-probe-bind-address",
            &observed.probe_address,
            "where /healthz and /readyz are served; 0: nowhere");
  flags.add("metrics-secure",
            &observed.metrics_secure,
            "serve /metrics over TLS, with the certificate of --metrics-cert-path");
  flags.add(
      "metrics-cert-path",
      &observed.metrics_cert_path,
      "the folder with tls.crt and tls.key for --metrics-secure; read again when they change");
  flags.add("enable-http2",
            &observed.enable_http2,
            "accepted for compatibility; HTTP/1.1 is served in any case");
}

base::Result<void> check(const Observed& observed) {
  if (observed.metrics_secure && observed.metrics_cert_path.empty()) {
    return base::Error(base::Kind::invalid,
                       "--metrics-secure needs --metrics-cert-path, a folder with tls.crt and "
                       "tls.key: no certificate is made up here");
  }
  return {};
}

void add_flags(Flags& flags, Settings& settings, std::string& config_path) {
  flags.add("config", &config_path, "the shared configuration file");
  flags.add("kubeconfig",
            &settings.kubeconfig,
            "how to reach the API server; default: KUBECONFIG, else the pod's service account");
  flags.add("leader-elect",
            &settings.leader_elect,
            "several processes may run and one of them acts: the one that holds the Lease");
  flags.add("leader-election-id",
            &settings.lease_names,
            "the Lease to hold, instead of the one that the reference uses for this role");
  flags.add("leader-election-namespace",
            &settings.lease_namespace,
            "where the Lease lives; default: our own namespace");
  add_observed_flags(flags, settings.observed);
  add_webhook_flags(flags, settings.webhook);
  flags.add(
      "zap-log-level",
      [&settings](std::string_view value) -> base::Result<void> {
        TRY(settings.log_level, base::parse_log_level(value));
        return {};
      },
      "level",
      "debug, info, warn or error");
  flags.add(
      "zap-encoder",
      [&settings](std::string_view value) -> base::Result<void> {
        TRY(settings.log_format, base::parse_log_format(value));
        return {};
      },
      "format",
      "json or console");
}

}  // namespace

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

Command read_command_line(int argc, const char* const* argv) {
  if (argc < 2) return leave(2, std::string(kUsage));
  const std::string_view word = argv[1];
  if (word == "version" || word == "--version")
    return leave(0, fmt::format("slurm-bridge {}\n", kVersion));
  if (word == "help" || word == "--help" || word == "-h") return leave(0, std::string(kUsage));
  const auto role = role_named(word);
  if (!role) return leave(2, fmt::format("slurm-bridge: unknown command {:?}\n\n{}", word, kUsage));

  Command command;
  Settings& settings = command.settings;
  settings.role = *role;
  settings.kubeconfig = environment("KUBECONFIG");
  settings.slurm_jwt_file = environment("SLURM_JWT_FILE");
  settings.slurm_jwt = environment("SLURM_JWT");
  std::string config_path = "/etc/slurm-bridge/config.yaml";

  Flags flags(fmt::format("slurm-bridge {}", word), "Kubernetes pods scheduled by Slurm.");
  add_flags(flags, settings, config_path);
  const auto outcome = flags.parse(argc - 1, argv + 1);
  if (!outcome.ok())
    return leave(2, fmt::format("slurm-bridge {}: {}\n", word, outcome.error().message()));
  if (outcome->help_asked) return leave(0, flags.help());
  settings.warnings = outcome->warnings;
  if (settings.observed.enable_http2)
    settings.warnings.push_back("--enable-http2: HTTP/1.1 is served; there is no HTTP/2 here");
  if (const auto fine = check(settings.observed); !fine.ok())
    return leave(2, fmt::format("slurm-bridge {}: {}\n", word, fine.error().message()));

  auto config = bridge::load_config(config_path);
  if (!config.ok()) return leave(1, fmt::format("slurm-bridge: {}\n", config.error().message()));
  settings.config = *std::move(config);
  if (const std::string api = environment("SLURM_REST_API"); !api.empty())
    settings.config.slurmRestApi = api;
  const bool needs_slurm = settings.role != Role::admission;
  if (needs_slurm && settings.config.slurmRestApi.empty()) {
    return leave(
        1,
        fmt::format(
            "slurm-bridge: {}: slurmRestApi is missing; write the address of slurmrestd, such as "
            "http://slurm-restapi.slurm:6820\n",
            config_path));
  }
  if (needs_slurm && settings.slurm_jwt_file.empty() && settings.slurm_jwt.empty()) {
    return leave(
        1,
        "slurm-bridge: no Slurm token: set SLURM_JWT_FILE to a file with a token of SlurmUser "
        "(scontrol token username=slurm)\n");
  }
  if (settings.lease_names.empty())
    settings.lease_names = reference_leases(settings.role, settings.config.schedulerName);
  for (const std::string& warning : settings.config.warnings) {
    settings.warnings.push_back(fmt::format("{}: {}", config_path, warning));
  }
  command.run = true;
  return command;
}

}  // namespace app
