// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/flags.h"
#include "base/log_format.h"
#include "base/result.h"
#include "operator/settle/cluster.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace operator_app {

struct WebhookSettings {
  bool enabled = true;  // ENABLE_WEBHOOKS
  std::string address = ":9443";
  std::string service = "soperator-webhook";
  std::string configuration = "soperator-validating-webhook";
  std::string secret = "soperator-webhook-certificates";
};

// The settings of `slurm-operator manager`: flags override the environment.
struct Settings {
  std::string metrics_address = ":8080";
  std::string probe_address = ":8081";
  std::string operator_namespace;  // empty: that of the pod
  bool leader_elect = true;
  bool metrics_secure = false;
  bool enable_http2 = false;
  base::LogFormat log_format = base::LogFormat::json;
  base::LogLevel log_level = base::LogLevel::info;
  base::Duration cache_sync_timeout = std::chrono::minutes(2);
  std::int32_t workers = 1;
  std::string kubeconfig;               // empty: the service account of the pod
  std::vector<std::string> namespaces;  // empty: all
  slurmop::settle::Defaults defaults;
  WebhookSettings webhook;
  std::vector<std::string> warnings;
};

// Values from outside of the command line.
struct ProcessEnvironment {
  std::function<std::string(const char*)> environment;  // "" if a variable is not set
  std::string resolv_conf;                              // text of /etc/resolv.conf
};

// Adds the flags of the manager. `settings` outlives `flags`.
void add_flags(base::Flags& flags, Settings& settings);

// Completes settings whose flags were parsed.
//
// Errors      invalid  the message names the flag or the variable
base::Result<void> complete(Settings& settings, const ProcessEnvironment& process);

}  // namespace operator_app
