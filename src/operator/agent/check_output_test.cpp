// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/check_output.h"

#include "base/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace slurmop::agent {
namespace {

const Configuration kConfiguration{"abc",
                                   {{"slurm.conf",
                                     "SlurmUser=slurm\n"
                                     "MessageTimeout=abc\n"
                                     "MCSParameters=x\n"
                                     "PartitionName=main Nodes=w\n"
                                     "PartitionName=more Nodes=w\n"
                                     "NoSuchKey=1\n"}}};

// The outputs are those of Slurm 26.05.5.
TEST(CheckOutput, IsExplainedWithFileAndLine) {
  struct Row {
    std::string_view cause;
    std::string_view output;
    std::string_view message;
  };
  const Row rows[] = {
      {"unknown key",
       "scontrol: error: _parse_next_key: Parsing error at unrecognized key: NoSuchKey\n"
       "scontrol: fatal: Unable to process configuration file\n",
       "slurm.conf line 6: unrecognized key: NoSuchKey"},
      {"unknown key in a line of a partition",
       "scontrol: error: Parsing error at unrecognized key: Stat\n"
       "scontrol: error: Parse error in file /tmp/x/slurm.conf line 4: \" Stat=UP\"\n"
       "scontrol: fatal: Unable to process configuration file\n",
       "slurm.conf line 4: unrecognized key: Stat"},
      {"value of another type",
       "scontrol: error: MessageTimeout value \"abc\" is not a valid number\n"
       "scontrol: fatal: Unable to process configuration file\n",
       "slurm.conf line 2: MessageTimeout value \"abc\" is not a valid number"},
      {"key that needs another one",
       "scontrol: error: MCSParameters=x used and no MCSPlugin\n"
       "scontrol: fatal: Unable to process configuration file\n",
       "slurm.conf line 3: MCSParameters=x used and no MCSPlugin"},
      {"not a pair",
       "scontrol: error: Parse error in file /etc/slurm/slurm.conf line 49: \"}\"\n"
       "scontrol: fatal: Unable to process configuration file\n",
       "slurm.conf line 49: \"}\""},
      {"another file",
       "slurmctld: error: Parse error in file /tmp/x/topology.conf line 2: \"a b\"\n"
       "slurmctld: fatal: Something\n",
       "topology.conf line 2: \"a b\"; Something"},
      {"a missing key",
       "scontrol: error: ClusterName needs to be specified\n"
       "scontrol: fatal: Unable to process configuration file\n",
       "ClusterName needs to be specified"},
      {"an error of slurmctld with the time",
       "[2026-11-18T10:00:00.000] slurmctld version 26.05.5 started on cluster a\n"
       "[2026-11-18T10:00:00.100] fatal: Invalid node names in partition main\n",
       "Invalid node names in partition main"},
      {"errors that slurmctld writes in any case",
       "[2026-11-18T10:00:00.000] error: Configured MailProg is invalid\n"
       "[2026-11-18T10:00:00.000] error: Job accounting information gathered, but not stored\n"
       "[2026-11-18T10:00:00.100] fatal: Invalid node names in partition main\n",
       "Invalid node names in partition main"},
      {"a key that occurs twice has no line",
       "slurmctld: fatal: PartitionName is wrong\n",
       "PartitionName is wrong"},
      {"no error line", "Segmentation fault\n", "Segmentation fault"},
      {"nothing", "", "it ended without a message"},
      {"only the generic line",
       "scontrol: fatal: Unable to process configuration file\n",
       "scontrol: fatal: Unable to process configuration file"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(explain(row.output, kConfiguration), row.message) << row.cause;
}

TEST(CheckOutput, HasTheLastProblemsOnceEach) {
  std::string output;
  for (int i = 1; i <= 9; ++i) output += "slurmctld: error: problem " + std::to_string(i) + "\n";
  output += "slurmctld: error: problem 9\nslurmctld: info: bye\n";
  EXPECT_EQ(explain(output, kConfiguration), "problem 6; problem 7; problem 8; problem 9");
}

TEST(CheckOutput, CannotControlATerminalOrBecomeLong) {
  const std::string message = explain(
      "slurmctld: error: a\x1b[31mred\x07\xff\r\nslurmctld: error: " + std::string(9000, 'x') +
          "\n",
      kConfiguration);
  EXPECT_LE(message.size(), kLongestMessage);
  EXPECT_TRUE(base::is_utf8(message));
  EXPECT_TRUE(std::ranges::none_of(message, [](char c) { return c >= 0 && c < 0x20; }));
}

TEST(CheckOutput, KnowsFailuresOfTheMachine) {
  EXPECT_TRUE(is_machine_failure("slurmctld: error: bind() failed: Address already in use\n"));
  EXPECT_TRUE(is_machine_failure("bash: fork: Cannot allocate memory"));
  EXPECT_FALSE(is_machine_failure("slurmctld: fatal: Invalid node names in partition main\n"));
  EXPECT_FALSE(is_machine_failure(""));
}

}  // namespace
}  // namespace slurmop::agent
