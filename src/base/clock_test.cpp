// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace base {
namespace {

using namespace std::chrono_literals;

TEST(VirtualClock, advances_only_when_it_is_advanced) {
  VirtualClock clock(WallTime(100s));
  EXPECT_EQ(clock.now(), Instant());
  EXPECT_EQ(clock.wall(), WallTime(100s));
  clock.advance_to(Instant(5s));
  EXPECT_EQ(clock.now(), Instant(5s));
  EXPECT_EQ(clock.wall(), WallTime(105s));
}

TEST(VirtualClock, never_goes_back) {
  VirtualClock clock(WallTime(100s));
  clock.advance_to(Instant(5s));
  clock.advance_to(Instant(3s));
  EXPECT_EQ(clock.now(), Instant(5s));
  EXPECT_EQ(clock.wall(), WallTime(105s));
}

TEST(VirtualClock, a_calendar_jump_moves_no_deadline) {
  VirtualClock clock(WallTime(100s));
  clock.advance_to(Instant(5s));
  clock.set_wall(WallTime(7s));
  EXPECT_EQ(clock.now(), Instant(5s));
  clock.advance_to(Instant(6s));
  EXPECT_EQ(clock.wall(), WallTime(8s));
}

TEST(RealClock, does_not_run_backwards) {
  const RealClock clock;
  const Instant first = clock.now();
  EXPECT_LE(first, clock.now());
  EXPECT_LT(first, kNever);
  EXPECT_GT(clock.wall(), WallTime());
}

RC_GTEST_PROP(VirtualClock, any_sequence_moves_both_times_forward, ()) {
  VirtualClock clock(WallTime(100s));
  for (int n = *rc::gen::inRange(0, 30); n > 0; --n) {
    const Instant before = clock.now();
    if (*rc::gen::inRange(0, 4) == 0) {
      clock.set_wall(WallTime(std::chrono::seconds(*rc::gen::inRange(0, 1000))));
      RC_ASSERT(clock.now() == before);
      continue;
    }
    const WallTime wall = clock.wall();
    const Instant wanted(std::chrono::milliseconds(*rc::gen::inRange(0, 100'000)));
    clock.advance_to(wanted);
    RC_ASSERT(clock.now() == std::max(before, wanted));
    RC_ASSERT(clock.wall() - wall == clock.now() - before);
  }
}

}  // namespace
}  // namespace base
