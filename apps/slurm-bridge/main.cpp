// SPDX-License-Identifier: Apache-2.0
#include "process.h"
#include "settings.h"

#include <cstdio>

int main(int argc, char** argv) {
  const app::Command command = app::read_command_line(argc, argv);
  if (!command.run) {
    (void)std::fputs(command.print.c_str(), command.exit_code == 0 ? stdout : stderr);
    return command.exit_code;
  }
  switch (command.subcommand) {
    case app::Subcommand::run_role: break;
    case app::Subcommand::plan_taints: return app::plan_taints(command.settings);
    case app::Subcommand::release_nodes:
      return app::release_nodes(command.settings, command.release);
  }
  return app::run(command.settings);
}
