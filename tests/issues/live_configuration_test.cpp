// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge#31: a changed configuration needed a rollout. ConfigWatch itself:
// config_watch_test.cpp.
#include "small_world.h"

namespace issues {
namespace {

TEST(LiveConfiguration, AChangedPartitionIsUsedForTheNextPod) {
  SmallWorld small;
  small.create("a");
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 10s));
  bridge::config::LiveSettings live;
  live.defaults.partition = "small";
  small.world.processes().front()->apply(live);
  small.create("b");
  ASSERT_TRUE(small.until([&] { return small.bound("b"); }, 10s));
  EXPECT_EQ(small.jobs("a").front().partition, "slurm-bridge");
  EXPECT_EQ(small.jobs("b").front().partition, "small");
}

}  // namespace
}  // namespace issues
