// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge registered a node with efficiency cores with fewer CPUs than its
// capacity and then compared it with its capacity: the node was drained, removed and registered
// again endlessly.
#include "bridge/testing/nodes.h"

#include <gtest/gtest.h>

namespace bridge::testing {
namespace {

TEST(EfficiencyCores, ANodeWithEfficiencyCoresIsRegisteredOnce) {
  const kube::Node node = labelled_node();  // 16 CPUs by its capacity
  nodes::NodeFacts facts = facts_of(&node, nullptr);
  facts.devices.devices.cores = {4, 2};  // of which Slurm may allocate 8
  const nodes::NodeSteps first = next_node_steps(facts);
  ASSERT_EQ(first.steps.size(), 1U);
  const nodes::Registration& wanted = std::get<nodes::RegisterNode>(first.steps[0]).wanted;
  EXPECT_TRUE(slurm::new_node_body(wanted.node)->contains("CPUs=8"));

  slurm::Node made = made_node();
  made.comment = mark_text(wanted.mark);
  made.cpus = 8;
  facts.slurm = &made;
  EXPECT_EQ(steps_text(facts), "");
  // Even if Slurm changes the number.
  made.cpus = 7;
  EXPECT_EQ(steps_text(facts), "");
}

}  // namespace
}  // namespace bridge::testing
