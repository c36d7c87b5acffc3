// SPDX-License-Identifier: Apache-2.0
#include "process.h"
#include "settings.h"

#include <cstdio>
#include <string_view>
#include <vector>

namespace {

// Whether the word was there; it is not for the role's flags.
bool take(std::vector<const char*>& words, std::string_view word) {
  return std::erase_if(words, [&](const char* given) { return given == word; }) > 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  const std::string_view verb = argc > 1 ? words[1] : "";
  const bool plan = verb == "plan-taints";
  const bool release = verb == "release-nodes";
  // They need what the controllers need, and take their flags.
  if (plan || release) words[1] = "controllers";
  app::ReleaseFlags flags;
  if (release) {
    flags = {take(words, "--yes"),
             take(words, "--unregister"),
             take(words, "--controllers-are-stopped")};
  }
  const app::Command command = app::read_command_line(static_cast<int>(words.size()), words.data());
  if (!command.run) {
    (void)std::fputs(command.print.c_str(), command.exit_code == 0 ? stdout : stderr);
    return command.exit_code;
  }
  if (plan) return app::plan_taints(command.settings);
  if (release) return app::release_nodes(command.settings, flags);
  return app::run(command.settings);
}
