// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "base/result.h"
#include "bridge/config/config.h"
#include "bridge/process/instance.h"
#include "kube/election/election_rule.h"
#include "roles.h"
#include "webhook_settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace app {

inline constexpr std::string_view kConfigPath = "/etc/slurm-bridge/config.yaml";

// The addresses for diagnostics. "0": not served.
struct DiagnosticsSettings {
  std::string metrics_address = ":8080";
  std::string probe_address = ":8081";
  bool metrics_secure = false;
  // The folder of tls.crt and tls.key; empty: a self-signed certificate.
  std::string metrics_cert_path;
  // The address of kube-scheduler's probes over TLS; without certificate files a self-signed one is
  // used.
  std::string secure_address = "0";
  std::string tls_cert_file;
  std::string tls_key_file;
};

// All settings of a process: the command line overrides the environment, which overrides the file.
struct Settings {
  Role role = Role::all;
  bridge::config::Config config;
  std::string config_path;                                // the file of `config`
  std::vector<bridge::config::ConfigOverride> overrides;  // values that override that file
  std::string kubeconfig;                                 // empty: in the cluster
  std::string slurm_jwt_file;
  std::string slurm_jwt;
  std::vector<std::string> lease_names;  // to hold while acting
  std::string lease_namespace;           // empty: our own
  kube::ElectionTimes lease_times{};
  DiagnosticsSettings diagnostics;
  WebhookSettings webhook;
  base::LogFormat log_format = base::LogFormat::json;
  std::size_t pod_workers = 0;
  std::size_t node_workers = 0;
  std::vector<std::string> warnings;
};

// The flags of "slurm-bridge release-nodes".
struct ReleaseFlags {
  bool yes = false;
  bool unregister = false;
  bool controllers_are_stopped = false;  // stated by the operator where no Lease shows it
};

// Commands besides running a role; they need what the controllers need, and take their flags.
enum class Subcommand { run_role, plan_taints, release_nodes };

// The action of main(): run with settings, or print a text and exit.
struct Command {
  bool run = false;
  Subcommand subcommand = Subcommand::run_role;
  ReleaseFlags release = {};
  std::string print;
  int exit_code = 0;
  Settings settings;

  static Command exit_with(int code, std::string text);
};

// The value of an environment variable, empty if it is not set.
std::string environment(const char* name);
// The values that the environment sets for keys of the configuration.
std::vector<bridge::config::ConfigOverride> environment_overrides();

// The errors and warnings of a start for these settings, before any address is opened.
base::Result<void> check_diagnostics(const DiagnosticsSettings& diagnostics);
std::vector<std::string> remarks_on(const bridge::config::Features& features);

Command read_command_line(int argc, const char* const* argv);

}  // namespace app
