// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/agent/agent.h"
#include "settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace operator_app {

enum class Subcommand { manager, config_agent };

// The action of main(): run a subcommand, or print a text and exit.
struct Command {
  bool run = false;
  Subcommand subcommand = Subcommand::manager;
  Settings settings;  // of the manager
  slurmop::agent::AgentOptions agent;
  std::string print;
  int exit_code = 0;
};

// Reads the arguments of main. The name of the program is not used: slurm_operator and slurm-operator
// are the same program.
Command read_command_line(const std::vector<std::string_view>& arguments,
                          const ProcessEnvironment& process);

}  // namespace operator_app
