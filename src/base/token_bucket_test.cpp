// SPDX-License-Identifier: Apache-2.0
#include "base/token_bucket.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace base {
namespace {

using namespace std::chrono_literals;

TEST(TokenBucket, AllowsABurstAndThenOneAtATime) {
  TokenBucket bucket;
  const Allowance three{3, 10s};
  const Instant start(1h);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(bucket.take(three, start));
  EXPECT_FALSE(bucket.take(three, start));
  EXPECT_FALSE(bucket.take(three, start + 9s));
  EXPECT_TRUE(bucket.take(three, start + 10s)) << "calls in between lose no time";
  EXPECT_FALSE(bucket.take(three, start + 19s));
  EXPECT_TRUE(bucket.take(three, start + 20s));
}

TEST(TokenBucket, NeverAllowsMoreThanTheBurstPlusOnePerInterval) {
  const auto within_bounds = [] {
    const Allowance allowance{*rc::gen::inRange<std::uint32_t>(1, 20),
                              std::chrono::milliseconds(*rc::gen::inRange(1, 1000))};
    const auto pauses = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 500));
    TokenBucket bucket;
    Instant now{};
    std::int64_t taken = 0;
    for (const int pause : pauses) {
      now += std::chrono::milliseconds(pause);
      if (bucket.take(allowance, now)) ++taken;
      RC_ASSERT(taken <= allowance.burst + now.time_since_epoch() / allowance.one_per);
    }
  };
  EXPECT_TRUE(rc::check(within_bounds));
}

}  // namespace
}  // namespace base
