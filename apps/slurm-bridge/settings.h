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

// Where this process shows how it is. "0" as an address: nowhere.
struct DiagnosticsSettings {
  std::string metrics_address = ":8080";
  std::string probe_address = ":8081";
  bool metrics_secure = false;
  std::string metrics_cert_path;  // the folder of tls.crt and tls.key; empty: a self-signed one
  // Where kube-scheduler would answer probes over TLS; without files with a certificate of our own.
  std::string secure_address = "0";
  std::string tls_cert_file;
  std::string tls_key_file;
};

// Everything that a process was told: command line over environment over file.
struct Settings {
  Role role = Role::all;
  bridge::config::Config config;
  std::string config_path;                                // the file of `config`
  std::vector<bridge::config::ConfigOverride> overrides;  // what counted more than that file
  std::string kubeconfig;                                 // empty: in the cluster
  std::string slurm_jwt_file;
  std::string slurm_jwt;
  std::vector<std::string> lease_names;  // to hold while acting
  std::string lease_namespace;           // empty: our own
  kube::ElectionTimes lease_times{};
  DiagnosticsSettings diagnostics;
  Webhook webhook;
  base::LogFormat log_format = base::LogFormat::json;
  std::size_t pod_workers = 0;
  std::size_t node_workers = 0;
  std::vector<std::string> warnings;
};

// Of "slurm-bridge release-nodes".
struct ReleaseFlags {
  bool yes = false;
  bool unregister = false;
  bool controllers_are_stopped = false;  // somebody knows it where no Lease can tell
};

// Beside running a role; they need what the controllers need, and take their flags.
enum class Deed { run_role, plan_taints, release_nodes };

// What main() does: run with settings, or print something and leave.
struct Command {
  bool run = false;
  Deed deed = Deed::run_role;
  ReleaseFlags release = {};
  std::string print;
  int exit_code = 0;
  Settings settings;

  static Command leave(int code, std::string text);
};

// The value of an environment variable, empty if it is not set.
std::string environment(const char* name);
// What the environment says about keys of the configuration.
std::vector<bridge::config::ConfigOverride> environment_overrides();

// What a start would say about these, before anything is listened to.
base::Result<void> check_diagnostics(const DiagnosticsSettings& diagnostics);
std::vector<std::string> remarks_on(const bridge::config::Features& features);

Command read_command_line(int argc, const char* const* argv);

}  // namespace app
