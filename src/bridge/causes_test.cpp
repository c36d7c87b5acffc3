// SPDX-License-Identifier: Apache-2.0
#include "bridge/causes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace bridge {
namespace {

using ::testing::HasSubstr;

TEST(Causes, AreATableInTheOrderOfTheirNames) {
  for (std::size_t i = 0; i < causes().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(causes()[i].cause), i);
    EXPECT_EQ(&line_of(causes()[i].cause), &causes()[i]);
  }
  EXPECT_EQ(static_cast<std::size_t>(Cause::slurm_away) + 1, causes().size());
}

// Or cluster autoscalers would add nodes for what Slurm makes wait.
TEST(Causes, NoneIsCalledUnschedulable) {
  for (const CauseLine& line : causes()) EXPECT_NE(line.reason, "Unschedulable") << line.text;
}

TEST(Causes, WhatSomebodyHasToChangeIsARefusal) {
  EXPECT_TRUE(is_refusal(explain(Cause::refused, "")));
  EXPECT_TRUE(is_refusal(explain(Cause::bad_request, "")));
  EXPECT_FALSE(is_refusal(explain(Cause::waiting, "")));
  EXPECT_FALSE(is_refusal(explain(Cause::node_cannot, "")));
}

TEST(Causes, StandInTheDocumentationAsTheyAreInTheCode) {
  std::ifstream file(SB_FIXTURES "/../../docs/scheduling.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const CauseLine& line : causes()) {
    const std::string reason = line.reason.empty() ? "" : fmt::format("`{}`", line.reason);
    EXPECT_THAT(text.str(),
                HasSubstr(fmt::format("| {} | {} | {} |", line.text, reason, name(line.then))));
  }
}

}  // namespace
}  // namespace bridge
