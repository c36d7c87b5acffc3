// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sandbox {

struct Settings {
  std::string folder = "sandbox";  // for the files that clients need
  std::int32_t nodes = 8;
  std::int32_t kube_port = 0;  // 0: any free port
  std::int32_t slurm_port = 0;
};

// The result of the command line: run with these settings, or print the text and exit.
struct Command {
  bool run = false;
  int exit_code = 0;
  std::string print;
  Settings settings;
};

Command read_command_line(int argc, const char* const* argv);

}  // namespace sandbox
