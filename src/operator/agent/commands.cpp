// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/commands.h"

#include <utility>

namespace slurmop::agent {
namespace {

// The log is $0, the program and its arguments are "$@": no value becomes a part of the script.
constexpr const char* kLogged = R"(exec "$@" >"$0" 2>&1)";

net::Command logged(const Programs& programs,
                    const ProgramPlace& place,
                    std::vector<std::string> program) {
  net::Command command;
  command.argv = {programs.shell, "-c", kLogged, place.log};
  command.argv.insert(command.argv.end(), program.begin(), program.end());
  command.environment = with_variable(place.environment, "SLURM_CONF", place.conf);
  command.at_most = place.at_most;
  return command;
}

}  // namespace

net::Command parser_command(const Programs& programs, const ProgramPlace& place) {
  return logged(programs, place, {programs.scontrol, "show", "hostnames", "a1"});
}

net::Command slurmctld_command(const Programs& programs, const ProgramPlace& place) {
  return logged(programs, place, {programs.slurmctld, "-D", "-c"});
}

net::Command reconfigure_command(const Programs& programs, const ProgramPlace& place) {
  return logged(programs, place, {programs.scontrol, "reconfigure"});
}

std::vector<std::string> with_token(std::vector<std::string> environment,
                                    const base::Secret& token) {
  std::erase_if(environment,
                [](const std::string& entry) { return entry.starts_with("SLURM_SACK_"); });
  return with_variable(std::move(environment), "SLURM_JWT", std::string(token.reveal()));
}

std::vector<std::string> with_variable(std::vector<std::string> environment,
                                       const std::string& name,
                                       const std::string& value) {
  std::erase_if(environment,
                [&](const std::string& entry) { return entry.starts_with(name + "="); });
  environment.push_back(name + "=" + value);
  return environment;
}

}  // namespace slurmop::agent
