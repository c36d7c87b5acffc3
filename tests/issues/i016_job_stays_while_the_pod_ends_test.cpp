// SPDX-License-Identifier: Apache-2.0
// #16, #17: the job was released while its pod was still terminating, and its node was allocated
// again.
#include "small_world.h"

namespace issues {
namespace {

TEST(Issue016, TheJobIsReleasedOnlyWhenThePodHasEnded) {
  SmallWorld small;
  small.create("a");
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 10s));
  small.pass(5s);
  const std::string node = small.pod("a")->node;
  small.world.kubelets().die(node);  // the pod cannot end
  small.remove("a");
  small.pass(5s);
  ASSERT_NE(small.pod("a"), nullptr);
  EXPECT_TRUE(small.pod("a")->deleting);
  EXPECT_EQ(small.jobs("a").front().state, "RUNNING");
  small.world.kubelets().come_back(node);
  EXPECT_TRUE(small.until([&] { return small.pod("a") == nullptr; }, 120s));
  EXPECT_EQ(small.jobs("a").front().state, "CANCELLED");
}

}  // namespace
}  // namespace issues
