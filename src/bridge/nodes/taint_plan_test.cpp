// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/taint_plan.h"

#include "bridge/testing/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::nodes {
namespace {

using ::testing::ElementsAre;

TEST(TaintPlan, NamesTheNodesThatSlurmKnowsAndThatHaveNoTaintYet) {
  kube::Node plain;
  plain.metadata.name = "s1";
  kube::Node other;
  other.metadata.name = "other";
  kube::Node tainted;
  tainted.metadata.name = "b";
  tainted.metadata.labels["slinky.slurm.net/slurm-nodename"] = "s1";
  tainted.spec.taints = {{"slinky.slurm.net/managed-node", "s", "NoExecute"}};
  EXPECT_THAT(nodes_to_taint({plain, other, tainted}, {testing::slurm_node()}, "s"),
              ElementsAre("s1"));
}

}  // namespace
}  // namespace bridge::nodes
