// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/health.h"

#include <gtest/gtest.h>

namespace slurm::inline mirror {
namespace {

using base::Error;
using base::Kind;
using std::chrono::milliseconds;
using std::chrono::seconds;

base::Instant at(int ms) {
  return base::Instant(milliseconds(ms));
}

QueryStamp asked(std::uint64_t order) {
  return {order, at(0)};
}

Error down() {
  return Error(Kind::unavailable, "down");
}

class HealthTest : public ::testing::Test {
 protected:
  Health health_{{milliseconds(500), seconds(10), base::Jitter::none}, [] { return 0U; }};
};

TEST_F(HealthTest, IsNotClaimedBeforeTheFirstAnswer) {
  EXPECT_FALSE(health_.healthy());
  EXPECT_FALSE(health_.failing());
  health_.answered(asked(1));
  EXPECT_TRUE(health_.healthy());
}

TEST_F(HealthTest, CallsThatFailTogetherAreOneFailure) {
  for (std::uint64_t order = 1; order <= 10; ++order)
    health_.failed(asked(order), 10, at(0), down());
  EXPECT_FALSE(health_.healthy());
  EXPECT_EQ(health_.pause_until(), at(500));
  health_.failed(asked(11), 11, at(500), down());
  EXPECT_EQ(health_.pause_until(), at(1500));
}

TEST_F(HealthTest, AStragglerProvesNothing) {
  health_.answered(asked(5));
  health_.failed(asked(4), 5, at(0), down());
  EXPECT_TRUE(health_.healthy());
  health_.failed(asked(7), 8, at(0), down());
  health_.answered(asked(6));
  health_.answered(asked(8));  // was in flight when 7 failed
  EXPECT_FALSE(health_.healthy());
  EXPECT_TRUE(health_.last_error()->is(Kind::unavailable));
}

TEST_F(HealthTest, AnAnswerEndsThePause) {
  health_.failed(asked(1), 1, at(0), down());
  health_.answered(asked(2));
  EXPECT_TRUE(health_.healthy());
  EXPECT_EQ(health_.pause_until(), base::Instant::min());
  EXPECT_EQ(health_.last_error(), std::nullopt);
}

TEST_F(HealthTest, WaitsForTheRequestedTime) {
  health_.failed(asked(1), 1, at(0), down().with_retry_after(seconds(20)));
  EXPECT_EQ(health_.pause_until(), at(20'000));
}

}  // namespace
}  // namespace slurm::inline mirror
