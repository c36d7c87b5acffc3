// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/writes.h"

#include "bridge/testing/nodes.h"

#include <gtest/gtest.h>

namespace bridge::nodes {
namespace {

using testing::kube_node;

std::string text(json::Value value) {
  return value.dump();
}

TEST(NodeWrites, CordonAndNoteAreOneWriteForOneVersion) {
  EXPECT_EQ(text(cordon_patch(kube_node(), "fan \"2\"")),
            R"({"metadata":{"uid":"n-1","resourceVersion":"5","annotations":)"
            R"({"slinky.slurm.net/slurm-drain-reason":"fan \"2\"",)"
            R"("slinky.slurm.net/slurm-cordon-lifted":null}},)"
            R"("spec":{"unschedulable":true}})");
  EXPECT_EQ(text(uncordon_patch(kube_node())),
            R"({"metadata":{"uid":"n-1","resourceVersion":"5","annotations":)"
            R"({"slinky.slurm.net/slurm-drain-reason":null,)"
            R"("slinky.slurm.net/slurm-cordon-lifted":null}},"spec":{"unschedulable":null}})");
  EXPECT_EQ(text(forget_cordon_patch(kube_node())),
            R"({"metadata":{"uid":"n-1","resourceVersion":"5","annotations":)"
            R"({"slinky.slurm.net/slurm-drain-reason":null,)"
            R"("slinky.slurm.net/slurm-cordon-lifted":null}}})");
  EXPECT_EQ(text(note_lifted_patch(kube_node(), "fan")),
            R"({"metadata":{"uid":"n-1","resourceVersion":"5","annotations":)"
            R"({"slinky.slurm.net/slurm-drain-reason":null,)"
            R"("slinky.slurm.net/slurm-cordon-lifted":"fan"}}})");
}

TEST(NodeWrites, WritesHaveOurFieldManager) {
  EXPECT_EQ(kube::write_query(node_write_options()), "?fieldManager=slurm-bridge");
}

TEST(NodeWrites, OneTaintIsAddedOrRemovedAndTheOthersStay) {
  kube::Node node = kube_node();
  const kube::Taint ours = managed_taint("s");
  const std::string version = R"({"op":"test","path":"/metadata/uid","value":"n-1"},)"
                              R"({"op":"test","path":"/metadata/resourceVersion","value":"5"},)";
  const std::string value =
      R"({"key":"slinky.slurm.net/managed-node","value":"s","effect":"NoExecute"})";
  EXPECT_EQ(text(add_taint_patch(node, ours)),
            "[" + version + R"({"op":"add","path":"/spec/taints","value":[)" + value + "]}]");
  node.spec.taints = {{"a", "", "NoSchedule"}};
  EXPECT_EQ(text(add_taint_patch(node, ours)),
            "[" + version + R"({"op":"add","path":"/spec/taints/-","value":)" + value + "}]");
  node.spec.taints.push_back(ours);
  EXPECT_EQ(text(remove_taint_patch(node, ours)),
            "[" + version + R"({"op":"remove","path":"/spec/taints/1"}])");
}

}  // namespace
}  // namespace bridge::nodes
