// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge#6: scancel did not delete the pod, or only after up to 30 s.
#include "small_world.h"

namespace issues {
namespace {

TEST(Scancel, DeletesThePodWithinSeconds) {
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
