// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/daemon_script.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <sys/wait.h>

namespace slurmop::parts {
namespace {

// The exit code of a shell that runs this daemon, and gets SIGTERM after that time.
int exit_code(const std::string& daemon, const char* seconds) {
  setenv("SB_SCRIPT", with_shell_as_init(daemon + " &\n").c_str(), 1);
  const std::string command = std::string("timeout --preserve-status --signal=TERM ") + seconds +
                              " bash -ec \"$SB_SCRIPT\" 2>/dev/null";
  const int status = std::system(command.c_str());  // NOLINT: a constant command
  unsetenv("SB_SCRIPT");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(DaemonScript, ends_as_the_daemon_ends) {
  EXPECT_EQ(exit_code("(exit 0)", "20"), 0);
  EXPECT_EQ(exit_code("(exit 3)", "20"), 3);
}

TEST(DaemonScript, passes_on_the_signal_and_waits_for_the_daemon) {
  EXPECT_EQ(exit_code("(trap 'sleep 0.2; exit 7' TERM; while :; do sleep 0.05; done)", "0.5"), 7);
}

TEST(DaemonScript, ends_with_a_daemon_that_ignores_nothing) {
  EXPECT_EQ(exit_code("sleep 60", "0.3"), 128 + 15);
}

}  // namespace
}  // namespace slurmop::parts
