// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge#39: tainting nodes should be optional.
#include "bridge/testing/nodes.h"

#include <gtest/gtest.h>

namespace bridge::testing {
namespace {

TEST(OptionalTaint, OurTaintsAreRemovedWhenItIsSwitchedOff) {
  const slurm::Node known = slurm_node();
  kube::Node node = kube_node();
  nodes::NodeFacts facts = facts_of(&node, &known);
  facts.options.taint = true;
  EXPECT_EQ(steps_text(facts), "taint");
  facts.options.taint = false;
  EXPECT_EQ(steps_text(facts), "");
  node.spec.taints = {nodes::managed_taint(facts.scheduler_name), {"gpu", "true", "NoSchedule"}};
  EXPECT_EQ(steps_text(facts), "untaint");
}

}  // namespace
}  // namespace bridge::testing
