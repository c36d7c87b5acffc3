// SPDX-License-Identifier: Apache-2.0
// #12: endless errors because Slurm does not know a Kubernetes node.
#include "bridge/testing/nodes.h"

#include <gtest/gtest.h>

namespace bridge::testing {
namespace {

TEST(Issue012, ANodeThatSlurmDoesNotKnowIsNoErrorAndNothingToDo) {
  kube::Node node = kube_node();
  EXPECT_EQ(steps_text(facts_of(&node, nullptr)), "");
  node.spec.unschedulable = true;
  EXPECT_EQ(steps_text(facts_of(&node, nullptr)), "");
}

}  // namespace
}  // namespace bridge::testing
