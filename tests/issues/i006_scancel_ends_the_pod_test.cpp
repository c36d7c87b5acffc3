// SPDX-License-Identifier: Apache-2.0
// #6: scancel did not delete the pod. 10.4a, 11.3: a cancel was detected after up to 30 s.
#include "small_world.h"

namespace issues {
namespace {

TEST(Issue006, ScancelEndsThePodWithinSeconds) {
  SmallWorld small;
  small.create("a");
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 10s));
  small.pass(10min);  // long enough for checks that slow down when nothing changes
  small.world.slurm().end(small.jobs("a").front().id, "CANCELLED", "None");
  EXPECT_TRUE(small.until([&] { return small.ending("a"); }, 3s));
  EXPECT_TRUE(small.until([&] { return small.pod("a") == nullptr; }, 60s));
}

}  // namespace
}  // namespace issues
