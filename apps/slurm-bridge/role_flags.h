// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/flags.h"
#include "base/log_format.h"
#include "bridge/config/config.h"
#include "bridge/process/instance.h"
#include "settings.h"

#include <optional>
#include <string>
#include <vector>

namespace app {

// The values of the command line of a role, before files and environment are read.
struct ParsedFlags {
  std::string config_path{kConfigPath};
  std::string bridge_config_path{kConfigPath};  // if config_path is a KubeSchedulerConfiguration
  std::vector<bridge::config::ConfigOverride> overrides;
  std::string kubeconfig;
  std::vector<std::string> lease_names;
  std::string lease_namespace;
  std::optional<base::Duration> lease_duration;
  std::optional<base::Duration> renew_deadline;
  std::optional<base::Duration> retry_period;
  DiagnosticsSettings diagnostics;
  WebhookSettings webhook;
  std::optional<std::int32_t> secure_port;  // of kube-scheduler; 0: none
  std::string bind_address;                 // for secure_port
  std::optional<base::LogFormat> log_format;
  bool zap_devel = false;
  std::int32_t pod_workers =
      static_cast<std::int32_t>(bridge::process::InstanceOptions().pod_workers);
  std::int32_t node_workers =
      static_cast<std::int32_t>(bridge::process::InstanceOptions().node_workers);
  bool version = false;
  std::vector<std::string> warnings;
};

// Adds all flags of a role: the reference's, our own, and for the scheduler those of kube-scheduler
// 1.36.
//
// Expects     `values` outlives `flags`.
void add_flags(base::Flags& flags, Role role, ParsedFlags& values);

}  // namespace app
