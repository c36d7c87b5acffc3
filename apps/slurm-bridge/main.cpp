// SPDX-License-Identifier: Apache-2.0
#include "process.h"
#include "settings.h"

#include <cstdio>
#include <string_view>
#include <vector>

int main(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  // It needs what the controllers need, and takes their flags.
  const bool plan = argc > 1 && std::string_view(words[1]) == "plan-taints";
  if (plan) words[1] = "controllers";
  const app::Command command = app::read_command_line(argc, words.data());
  if (command.run) return plan ? app::plan_taints(command.settings) : app::run(command.settings);
  (void)std::fputs(command.print.c_str(), command.exit_code == 0 ? stdout : stderr);
  return command.exit_code;
}
