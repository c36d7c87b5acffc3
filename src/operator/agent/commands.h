// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/secret.h"
#include "net/process/child.h"

#include <string>
#include <vector>

// The command lines of the agent. Pure.
namespace slurmop::agent {

// Names or paths of the programs.
struct Programs {
  std::string scontrol = "scontrol";
  std::string slurmctld = "slurmctld";
  std::string shell = "bash";
};

// Where a program runs: with which configuration, and where its output goes.
struct ProgramPlace {
  std::string conf;  // path of slurm.conf
  std::string log;   // file for standard output and standard error
  std::vector<std::string> environment;
  base::Duration at_most;
};

// Slurm's own parser: reads slurm.conf and needs neither slurmctld nor a network.
net::Command parser_command(const Programs& programs, const ProgramPlace& place);

// A slurmctld in the foreground that ignores saved state.
net::Command slurmctld_command(const Programs& programs, const ProgramPlace& place);

// Exit status 0 says only that slurmctld has accepted the request.
net::Command reconfigure_command(const Programs& programs, const ProgramPlace& place);

// The environment of a command that proves its user by a JWT. The variables that select the key of
// auth/slurm are removed: Slurm would prefer them.
std::vector<std::string> with_token(std::vector<std::string> environment,
                                    const base::Secret& token);

// Sets NAME to the value; an earlier value is replaced.
std::vector<std::string> with_variable(std::vector<std::string> environment,
                                       const std::string& name,
                                       const std::string& value);

}  // namespace slurmop::agent
