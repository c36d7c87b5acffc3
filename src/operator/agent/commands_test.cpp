// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::agent {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

const ProgramPlace kPlace{.conf = "/tmp/x/slurm.conf",
                          .log = "/tmp/x/a log",
                          .environment = {"PATH=/bin", "SLURM_CONF=/etc/slurm/slurm.conf"},
                          .at_most = 10s};

TEST(AgentCommands, TheParserReadsTheFileOfTheEnvironment) {
  const net::Command command = parser_command({}, kPlace);
  EXPECT_THAT(command.argv,
              ElementsAre("bash",
                          "-c",
                          "exec \"$@\" >\"$0\" 2>&1",
                          "/tmp/x/a log",
                          "scontrol",
                          "show",
                          "hostnames",
                          "a1"));
  EXPECT_THAT(command.environment, ElementsAre("PATH=/bin", "SLURM_CONF=/tmp/x/slurm.conf"));
  EXPECT_EQ(command.at_most, 10s);
}

TEST(AgentCommands, TheThrowAwaySlurmctldStaysInTheForegroundWithoutState) {
  const net::Command command = slurmctld_command({.slurmctld = "/opt/slurmctld"}, kPlace);
  EXPECT_THAT(std::vector(command.argv.begin() + 4, command.argv.end()),
              ElementsAre("/opt/slurmctld", "-D", "-c"));
}

TEST(AgentCommands, ReconfigureUsesTheOtherFileToo) {
  const net::Command command = reconfigure_command({}, kPlace);
  EXPECT_THAT(std::vector(command.argv.begin() + 4, command.argv.end()),
              ElementsAre("scontrol", "reconfigure"));
  EXPECT_THAT(command.environment, ElementsAre("PATH=/bin", "SLURM_CONF=/tmp/x/slurm.conf"));
}

TEST(AgentCommands, ATokenReplacesTheKeyOfAuthSlurm) {
  EXPECT_THAT(with_token({"SLURM_SACK_KEY=/k", "SLURM_JWT=old", "A=b"}, base::Secret("new")),
              ElementsAre("A=b", "SLURM_JWT=new"));
}

}  // namespace
}  // namespace slurmop::agent
