// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <gtest/gtest.h>

namespace base {
namespace {

using namespace std::chrono_literals;

TEST(VirtualClock, stands_still_until_told) {
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

TEST(VirtualClock, a_jump_of_the_calendar_moves_no_deadline) {
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

}  // namespace
}  // namespace base
