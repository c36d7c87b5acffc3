// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge #43: after one node was deleted, all jobs that had been submitted with
// the names of the others and of it were refused or ended.
#include "bridge/testing_nodes.h"

#include <gtest/gtest.h>

namespace bridge::testing {
namespace {

TEST(Issue43, ADeletedNodeIsNobodysBusinessButItsOwn) {
  const kube::Node other = kube_node();
  const slurm::Node others = slurm_node({"MIXED"});
  EXPECT_EQ(steps_text(facts_of(&other, &others)), "");
  // The deleted one takes no new jobs, what runs there goes on, and it is not removed while busy.
  const slurm::Node busy = made_node({"MIXED"});
  NodeFacts facts = facts_of(nullptr, &busy);
  facts.was_named = "k8s-1";
  EXPECT_EQ(steps_text(facts), "drain slurm-bridge: slurm-bridge: removing external node s1");
}

}  // namespace
}  // namespace bridge::testing
