// SPDX-License-Identifier: Apache-2.0
#include "process.h"
#include "settings.h"

#include <cstdio>

int main(int argc, char** argv) {
  const app::Command command = app::read_command_line(argc, argv);
  if (command.run) return app::run(command.settings);
  (void)std::fputs(command.print.c_str(), command.exit_code == 0 ? stdout : stderr);
  return command.exit_code;
}
