// SPDX-License-Identifier: Apache-2.0
#include "history.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace opsim {
namespace {

TEST(OperatorSimulation, SomeHistoriesKeepAllGuarantees) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Outcome outcome = run_history(seed);
    EXPECT_TRUE(outcome.breaches.empty()) << "seed " << seed << ": " << outcome.breaches.front();
    EXPECT_GT(outcome.operator_writes, 0U);
  }
}

TEST(OperatorSimulation, ASeedAlwaysGivesTheSameHistory) {
  EXPECT_EQ(run_history(7).timeline, run_history(7).timeline);
}

}  // namespace
}  // namespace opsim
