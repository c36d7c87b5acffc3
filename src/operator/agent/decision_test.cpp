// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/decision.h"

#include <gtest/gtest.h>

namespace slurmop::agent {
namespace {

using namespace std::chrono_literals;
using End = Attempt::End;

constexpr base::Instant at(base::Duration since_start) {
  return base::Instant(since_start);
}

TEST(AgentDecision, TellsWhenACandidateIsChecked) {
  struct Row {
    const char* cause;
    CandidateFacts facts;
    bool checked;
  };
  const auto invalid = Attempt{"b", End::invalid, "m", 1, at(100s)};
  const auto unchecked = Attempt{"b", End::unchecked, "m", 2, at(100s)};
  const auto rejected = Attempt{"b", End::rejected, "m", 1, at(100s)};
  const Row rows[] = {
      {"nothing is active", {"b", "", {}, at(0s)}, true},
      {"it is active", {"a", "a", {}, at(0s)}, false},
      {"it is active again after another one failed", {"a", "a", invalid, at(101s)}, false},
      {"it is new", {"b", "a", {}, at(0s)}, true},
      {"another one failed", {"c", "a", invalid, at(101s)}, true},
      {"it was invalid", {"b", "a", invalid, at(399s)}, false},
      {"it was invalid five minutes ago", {"b", "a", invalid, at(400s)}, true},
      {"it was not checked, twice", {"b", "a", unchecked, at(119s)}, false},
      {"the back-off has passed", {"b", "a", unchecked, at(120s)}, true},
      {"slurmctld ended with it", {"b", "a", rejected, at(100000s)}, false},
      {"slurmctld ended with another one", {"c", "a", rejected, at(101s)}, true},
  };
  for (const Row& row : rows) EXPECT_EQ(must_check(row.facts), row.checked) << row.cause;
}

TEST(AgentDecision, RetriesDoubleToFiveMinutes) {
  EXPECT_EQ(retry_delay(0), 10s);
  EXPECT_EQ(retry_delay(1), 10s);
  EXPECT_EQ(retry_delay(2), 20s);
  EXPECT_EQ(retry_delay(5), 160s);
  EXPECT_EQ(retry_delay(6), 300s);
  EXPECT_EQ(retry_delay(4000), 300s);
}

TEST(AgentDecision, CountsEqualEndsOfOneConfiguration) {
  const Attempt first = next_attempt(std::nullopt, {"b", End::unchecked, "m", 7, at(1s)});
  EXPECT_EQ(first.failures, 1U);
  const Attempt second = next_attempt(first, {"b", End::unchecked, "n", 1, at(2s)});
  EXPECT_EQ(second, (Attempt{"b", End::unchecked, "n", 2, at(2s)}));
  EXPECT_EQ(next_attempt(second, {"b", End::invalid, "n", 1, at(3s)}).failures, 1U);
  EXPECT_EQ(next_attempt(second, {"c", End::unchecked, "n", 1, at(3s)}).failures, 1U);
}

}  // namespace
}  // namespace slurmop::agent
