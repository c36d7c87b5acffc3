// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/flags.h"
#include "base/log_format.h"
#include "operator/agent/commands.h"

#include <string>

// The configuration agent: a sidecar of slurmctld that checks a new configuration with Slurm's own
// programs before slurmctld reads it.
//
//   candidate (ConfigMap) -> check -> active (read by slurmctld) -> scontrol reconfigure -> saved
//
// An invalid candidate changes nothing; GET /status has the reason.
namespace slurmop::agent {

struct AgentOptions {
  std::string candidate = "/config/candidate";
  std::string active = "/etc/slurm";
  std::string saved = "/var/spool/slurmctld/.slurm-operator";
  std::string listen = ":6880";
  std::string work_folder = "/tmp";
  Programs programs = {};
  base::LogFormat log_format = base::LogFormat::json;
  base::LogLevel log_level = base::LogLevel::info;
};

// Adds the flags of `slurm-operator config-agent`.
//
// Expects     `options` outlives `flags`.
void add_flags(base::Flags& flags, AgentOptions& options);

// Runs until SIGTERM or SIGINT and returns the exit code: 0, or 1 if it could not start.
int run_config_agent(const AgentOptions& options);

}  // namespace slurmop::agent
