// SPDX-License-Identifier: Apache-2.0
// 10.4t, baseline 9.7, 9.9: no Events and no conditions; why Slurm makes a pod wait or refuses it
// stood nowhere in Kubernetes.
#include "small_world.h"

namespace issues {
namespace {

TEST(Weakness104t, AWaitingPodSaysSlurmsReasonAndIsNotUnschedulable) {
  SmallWorld small;
  (void)small.fill("small", 2);
  small.create("a", {{"partition", "small"}});
  small.pass(30s);
  EXPECT_EQ(small.pod("a")->scheduled_reason, "WaitingInSlurm");
  EXPECT_TRUE(small.pod("a")->scheduled_message.contains("Resources"))
      << small.pod("a")->scheduled_message;
}

TEST(Weakness104t, ARefusalIsAConditionAndAnEventThatNameTheCause) {
  SmallWorld small;
  small.create("a", {{"partition", "nowhere"}});
  small.pass(30s);
  EXPECT_EQ(small.pod("a")->scheduled_reason, "RefusedBySlurm");
  EXPECT_TRUE(small.pod("a")->scheduled_message.contains("Invalid partition name"))
      << small.pod("a")->scheduled_message;
  EXPECT_GT(small.calls("/events"), 0U);
}

}  // namespace
}  // namespace issues
