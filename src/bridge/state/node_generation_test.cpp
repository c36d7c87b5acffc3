// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/node_generation.h"

#include "base/quantity.h"

#include <gtest/gtest.h>

namespace bridge::state {
namespace {

kube::Node in_kubernetes() {
  kube::Node node;
  node.metadata.name = "n1";
  return node;
}

TEST(NodeGeneration, CountsChangesOfKubernetesNodesThatAffectWhichPodsFit) {
  NodeGeneration generation;
  const kube::Node plain = in_kubernetes();
  EXPECT_TRUE(generation.changed(nullptr, &plain));
  EXPECT_TRUE(generation.changed(&plain, nullptr));

  kube::Node changed = plain;
  changed.metadata.resourceVersion = "2";
  changed.spec.unschedulable = true;
  changed.status.conditions.push_back({"Ready", "False", "", "", ""});
  EXPECT_FALSE(generation.changed(&plain, &changed)) << "temporary changes do not count";
  EXPECT_EQ(generation.value(), 2U);

  kube::Node labelled = plain;
  labelled.metadata.labels["a"] = "b";
  EXPECT_TRUE(generation.changed(&plain, &labelled));
  kube::Node tainted = plain;
  tainted.spec.taints.push_back({"a", "", "NoSchedule"});
  EXPECT_TRUE(generation.changed(&plain, &tainted));
  kube::Node larger = plain;
  larger.status.allocatable["cpu"] = *base::Quantity::parse("8");
  EXPECT_TRUE(generation.changed(&plain, &larger));
  EXPECT_EQ(generation.value(), 5U);
}

TEST(NodeGeneration, CountsNodesAndPartitionsOfSlurmAndNotTheirStates) {
  NodeGeneration generation;
  slurm::Node node;
  node.name = slurm::SlurmNodeName("s1");
  node.partitions = {"main"};
  EXPECT_TRUE(generation.changed(node.name, &node));
  node.states = {"ALLOCATED"};
  EXPECT_FALSE(generation.changed(node.name, &node));
  node.partitions = {"main", "gpu"};
  EXPECT_TRUE(generation.changed(node.name, &node));
  EXPECT_TRUE(generation.changed(node.name, nullptr));
  EXPECT_FALSE(generation.changed(node.name, nullptr));
}

}  // namespace
}  // namespace bridge::state
