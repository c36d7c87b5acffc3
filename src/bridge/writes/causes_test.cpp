// SPDX-License-Identifier: Apache-2.0
#include "bridge/writes/causes.h"

#include "slurm/api/error_number.h"
#include "source_tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace bridge::writes {
namespace {

using ::testing::HasSubstr;

TEST(Causes, AreInTheOrderOfTheEnum) {
  for (std::size_t i = 0; i < causes().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(causes()[i].cause), i);
    EXPECT_EQ(&line_of(causes()[i].cause), &causes()[i]);
  }
  EXPECT_EQ(static_cast<std::size_t>(Cause::unsupported) + 1, causes().size());
}

// Otherwise cluster autoscalers would add nodes for pods that wait in Slurm.
TEST(Causes, NoneIsCalledUnschedulable) {
  for (const CauseLine& line : causes()) EXPECT_NE(line.reason, "Unschedulable") << line.text;
}

TEST(Causes, ACauseThatAPersonHasToResolveIsARefusal) {
  EXPECT_TRUE(is_refusal(explain(Cause::refused, "")));
  EXPECT_TRUE(is_refusal(explain(Cause::bad_request, "")));
  EXPECT_FALSE(is_refusal(explain(Cause::waiting, "")));
  EXPECT_FALSE(is_refusal(explain(Cause::node_cannot, "")));
}

TEST(Causes, ALongMessageIsCutOffBetweenTwoCharacters) {
  const std::string fits(kMostMessageBytes, 'x');
  EXPECT_EQ(explain(Cause::no_node_fits, fits).message, fits);
  std::string long_one = "x";
  for (std::size_t i = 0; i < kMostMessageBytes; ++i) long_one += "\u00e4";
  const std::string cut = explain(Cause::no_node_fits, long_one).message;
  EXPECT_LE(cut.size(), kMostMessageBytes);
  EXPECT_TRUE(cut.ends_with("\u00e4..."));
}

// volumes_pending and volumes_missing have the same reason, but only the former holds a node.
TEST(Causes, AHoldDependsOnTheCauseAndNotOnTheReason) {
  EXPECT_TRUE(is_hold(explain(Cause::volumes_pending, "")));
  EXPECT_FALSE(is_hold(explain(Cause::volumes_missing, "")));
  EXPECT_TRUE(is_hold(explain(Cause::node_cannot, "")));
}

// All error numbers that are known as answers to a submit.
TEST(Causes, EachSlurmErrorNumberHasItsCause) {
  struct Row {
    int number;
    std::string_view what;
    Cause want;
    bool has_fix;
  };
  const Row kRows[] = {
      {2000, "partition", Cause::refused, true},
      {2045, "account or association", Cause::refused, true},
      {2066, "QOS", Cause::refused, true},
      {2014, "CPUs, memory, GPUs or their type", Cause::refused, true},
      {2072, "unknown gres", Cause::refused, true},
      {2115, "TRES", Cause::refused, true},
      {2029, "feature", Cause::refused, true},
      {2018, "node", Cause::refused, true},
      {2038, "dependency", Cause::refused, true},
      {2048, "licence", Cause::refused, true},
      {2053, "reservation", Cause::refused, true},
      {2052, "somebody else's reservation", Cause::refused, true},
      {2010, "acting for another user", Cause::refused, true},
      {2166, "unknown user", Cause::refused, true},
      {2164, "unknown group", Cause::refused, true},
      {2012, "a text that is too long", Cause::refused, true},
      {2189, "an external job with a script", Cause::refused, false},
      {2081, "array", Cause::refused, true},
      {9000, "no script, or what slurmrestd cannot read", Cause::refused, false},
      {2005, "CPUs over the partition's limit", Cause::refused, true},
      {2006, "nodes over the partition's limit", Cause::refused, true},
      {2051, "time over the partition's limit", Cause::refused, true},
      {2003, "group not allowed in the partition", Cause::refused, true},
      {6010, "the token's user is unknown", Cause::slurm_unreachable, true},
      {1007, "an expired or wrong token", Cause::slurm_unreachable, true},
      {2002, "the token is not SlurmUser's", Cause::slurm_unreachable, true},
      {1800, "slurmctld is away", Cause::slurm_unreachable, false},
      {5004, "slurmctld did not answer in time", Cause::slurm_unreachable, false},
      {1804, "too many requests", Cause::slurm_unreachable, false},
      {2007, "MaxJobCount", Cause::limit_reached, false},
      {2050, "a limit of the account or QOS is full", Cause::limit_reached, true},
      {2040, "licences in use", Cause::limit_reached, false},
      {2101, "partition down", Cause::limit_reached, false},
      {2105, "submissions disabled", Cause::limit_reached, false},
      {7000, "slurmdbd is away", Cause::slurm_unreachable, false},
  };
  for (const Row& row : kRows) {
    const slurm::Meaning meaning = slurm::meaning(row.number);
    const base::Error error = base::Error(meaning.kind, "").with_code(row.number);
    EXPECT_EQ(cause_of_failed_submit(error), row.want) << row.number << " " << row.what;
    EXPECT_EQ(!meaning.fix.empty(), row.has_fix) << row.number << " " << row.what;
  }
}

TEST(Causes, AreTheSameInTheDocumentation) {
  std::ifstream file(in_source_tree("docs/scheduling.md"));
  std::stringstream text;
  text << file.rdbuf();
  for (const CauseLine& line : causes()) {
    const std::string reason = line.reason.empty() ? "" : fmt::format("`{}`", line.reason);
    EXPECT_THAT(text.str(),
                HasSubstr(fmt::format("| {} | {} | {} |", line.text, reason, name(line.reaction))));
  }
}

}  // namespace
}  // namespace bridge::writes
