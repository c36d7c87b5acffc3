// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "base/result.h"
#include "bridge/config.h"
#include "bridge/instance.h"
#include "webhook_settings.h"

#include <string>
#include <vector>

namespace app {

using bridge::Role;

// Where this process shows how it is. "0" as an address: nowhere.
struct Observed {
  std::string metrics_address = ":8080";
  std::string probe_address = ":8081";
  bool metrics_secure = false;
  std::string metrics_cert_path;  // the folder of tls.crt and tls.key
  bool enable_http2 = false;      // nothing follows from it but a warning
};

// Everything that a process was told: command line over environment over file.
struct Settings {
  Role role = Role::all;
  bridge::Config config;
  std::string kubeconfig;  // empty: in the cluster
  std::string slurm_jwt_file;
  std::string slurm_jwt;
  bool leader_elect = false;
  std::vector<std::string> lease_names;  // to hold while acting
  std::string lease_namespace;           // empty: our own
  Observed observed;
  Webhook webhook;
  base::LogLevel log_level = base::LogLevel::info;
  base::LogFormat log_format = base::LogFormat::json;
  std::vector<std::string> warnings;
};

// What main() does: run with settings, or print something and leave.
struct Command {
  bool run = false;
  std::string print;
  int exit_code = 0;
  Settings settings;
};

// The value of an environment variable, empty if it is not set.
std::string environment(const char* name);

Command read_command_line(int argc, const char* const* argv);

}  // namespace app
