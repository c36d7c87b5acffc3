// SPDX-License-Identifier: Apache-2.0
#include "base/backoff.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <vector>

namespace base {
namespace {

using namespace std::chrono_literals;

BackoffPolicy policy(Jitter jitter) {
  return {.first = 100ms, .most = 1s, .jitter = jitter};
}

TEST(Backoff, doubles_up_to_its_limit_and_restarts_after_a_success) {
  Backoff backoff(policy(Jitter::none), nullptr);
  std::vector<Duration> delays;
  for (int i = 0; i < 6; ++i) delays.push_back(backoff.next());
  EXPECT_EQ(delays, (std::vector<Duration>{100ms, 200ms, 400ms, 800ms, 1s, 1s}));
  EXPECT_EQ(backoff.failures(), 6U);
  backoff.reset();
  EXPECT_EQ(backoff.next(), 100ms);
}

TEST(Backoff, full_jitter_ranges_from_zero_to_the_delay) {
  EXPECT_EQ(backoff_delay(policy(Jitter::full), 1, 0), 0ms);
  EXPECT_EQ(backoff_delay(policy(Jitter::full), 1, 200'000'000), 200ms);
  EXPECT_EQ(backoff_delay(policy(Jitter::full), 1, 200'000'001), 0ms);
}

TEST(Backoff, equal_jitter_waits_at_least_half_the_delay) {
  EXPECT_EQ(backoff_delay(policy(Jitter::equal), 1, 0), 100ms);
  EXPECT_EQ(backoff_delay(policy(Jitter::equal), 1, 100'000'000), 200ms);
  EXPECT_EQ(backoff_delay(policy(Jitter::equal), 1, 100'000'001), 100ms);
}

TEST(Backoff, waits_at_least_as_long_as_the_server_asked) {
  Backoff backoff(policy(Jitter::none), nullptr);
  EXPECT_EQ(backoff.next(5s), 5s);
  EXPECT_EQ(backoff.next(1ms), 200ms);
}

TEST(Backoff, the_same_seed_gives_the_same_delays) {
  const auto history = [] {
    Backoff backoff(policy(Jitter::full), std::mt19937_64(4711));
    std::vector<Duration> delays;
    for (int i = 0; i < 20; ++i) delays.push_back(backoff.next());
    return delays;
  };
  EXPECT_EQ(history(), history());
}

TEST(Backoff, accepts_inconsistent_limits) {
  EXPECT_EQ(backoff_delay({.first = 0s, .most = 1s}, 9, 77), 0s);
  EXPECT_EQ(backoff_delay({.first = -1s, .most = -1s}, 9, 77), 0s);
  EXPECT_EQ(backoff_delay({.first = 5s, .most = 1s, .jitter = Jitter::none}, 0, 0), 1s);
  const BackoffPolicy forever = {.first = Duration::max(), .most = Duration::max()};
  EXPECT_GE(backoff_delay(forever, UINT32_MAX, UINT64_MAX), forever.most / 2);
}

RC_GTEST_PROP(Backoff, stays_within_its_limits, (std::uint32_t failures, std::uint64_t random)) {
  const auto first = *rc::gen::inRange<std::int64_t>(1, INT64_MAX);
  const auto most = *rc::gen::inRange<std::int64_t>(first, INT64_MAX);
  const auto jitter = *rc::gen::element(Jitter::none, Jitter::full, Jitter::equal);
  const BackoffPolicy limits = {.first = Duration(first), .most = Duration(most), .jitter = jitter};
  const Duration delay = backoff_delay(limits, failures, random);
  RC_ASSERT(delay >= Duration::zero());
  RC_ASSERT(delay <= limits.most);
  if (jitter != Jitter::full) RC_ASSERT(delay >= limits.first / 2);
}

RC_GTEST_PROP(Backoff,
              jitter_only_ever_shortens_and_equal_jitter_by_half_at_most,
              (std::uint64_t random)) {
  const auto failures = *rc::gen::inRange<std::uint32_t>(0, 70);
  const auto with = [&](Jitter jitter) {
    return backoff_delay({.first = 100ms, .most = 30s, .jitter = jitter}, failures, random);
  };
  const Duration whole = with(Jitter::none);
  RC_ASSERT(whole == (failures < 9 ? 100ms * (1 << failures) : Duration(30s)));
  RC_ASSERT(with(Jitter::full) >= Duration::zero());
  RC_ASSERT(with(Jitter::full) <= whole);
  RC_ASSERT(with(Jitter::equal) >= whole / 2);
  RC_ASSERT(with(Jitter::equal) <= whole);
}

}  // namespace
}  // namespace base
