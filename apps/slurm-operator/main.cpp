// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "manager.h"
#include "net/files/small_file.h"

#include <cstdio>
#include <cstdlib>

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return value == nullptr ? "" : value;
}

}  // namespace

int main(int argc, char** argv) {
  const auto resolv_conf = net::read_small_file("/etc/resolv.conf");
  const operator_app::Command command = operator_app::read_command_line(
      {argv, argv + argc}, {environment, resolv_conf.ok() ? *resolv_conf : ""});
  if (!command.run) {
    (void)std::fputs(command.print.c_str(), command.exit_code == 0 ? stdout : stderr);
    return command.exit_code;
  }
  switch (command.subcommand) {
    case operator_app::Subcommand::manager: return operator_app::run_manager(command.settings);
    case operator_app::Subcommand::config_agent:
      return slurmop::agent::run_config_agent(command.agent);
  }
  return 2;
}
