// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/exclusions.h"

#include "bridge/testing/scheduling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using slurm::SlurmNodeName;
using testing::a_pod;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

slurm::Node in_slurm(std::string name, std::vector<std::string> partitions = {"main"}) {
  slurm::Node node;
  node.name = SlurmNodeName(std::move(name));
  node.partitions = std::move(partitions);
  return node;
}

kube::Node in_kubernetes(const std::string& name, std::map<std::string, std::string> labels = {}) {
  kube::Node node;
  node.metadata.name = name;
  node.metadata.labels = std::move(labels);
  return node;
}

struct Exclusion : ::testing::Test {
  slurm::Node k1 = in_slurm("k1"), k2 = in_slurm("k2"), other = in_slurm("x1", {"gpu"});
  kube::Node n1 = in_kubernetes("k1", {{"disk", "ssd"}}), n2 = in_kubernetes("k2");
  kube::Pod pod = a_pod();

  Exclusions decide(std::set<SlurmNodeName> avoid = {}, std::string partition = "main") {
    const Candidate all[] = {{k1, &n1, {}}, {k2, &n2, {}}, {other, nullptr, {}}};
    return exclusions({pod, std::move(partition), {}, std::move(avoid)}, all);
  }
};

TEST_F(Exclusion, NoNodeIsListedIfNoneIsExcluded) {
  const Exclusions out = decide();
  EXPECT_THAT(out.nodes, IsEmpty());
  EXPECT_EQ(out.left, 2U);
}

TEST_F(Exclusion, NodesThatThePodDoesNotSelectAreExcluded) {
  pod.spec.nodeSelector["disk"] = "ssd";
  const Exclusions out = decide();
  EXPECT_THAT(out.nodes, ElementsAre(SlurmNodeName("k2")));
  EXPECT_EQ(out.text(), "1 node: nodeSelector requires disk=ssd");
}

TEST_F(Exclusion, NodesOfThePartitionThatKubernetesDoesNotHaveAreExcluded) {
  EXPECT_THAT(decide({}, "gpu").nodes, ElementsAre(SlurmNodeName("x1")));
  EXPECT_EQ(decide({}, "gpu").left, 0U);
  EXPECT_THAT(decide({}, "").nodes, ElementsAre(SlurmNodeName("x1")))
      << "without a known partition Slurm may choose every node";
}

TEST_F(Exclusion, NodesOfAllPartitionsOfAJobAreEvaluated) {
  pod.spec.nodeSelector["disk"] = "ssd";
  EXPECT_THAT(decide({}, "gpu,main").nodes, ElementsAre(SlurmNodeName("k2"), SlurmNodeName("x1")));
  EXPECT_EQ(decide({}, "gpu,main").left, 1U);
}

TEST_F(Exclusion, ANodeToAvoidIsExcludedInEveryPartition) {
  EXPECT_THAT(decide({SlurmNodeName("x1")}).nodes, ElementsAre(SlurmNodeName("x1")));
}

TEST_F(Exclusion, ANodeToAvoidIsExcluded) {
  EXPECT_THAT(decide({SlurmNodeName("k1")}).nodes, ElementsAre(SlurmNodeName("k1")));
}

TEST(Exclusions, ListTheMostFrequentReasons) {
  Exclusions out;
  out.why = {{"a", 1}, {"b", 7}, {"c", 2}, {"d", 2}, {"e", 3}, {"f", 1}};
  EXPECT_EQ(out.text(),
            "7 nodes: b; 3 nodes: e; 2 nodes: c; 2 nodes: d; and 2 more nodes for other reasons");
}

TEST(Exclusions, AreAddedForSeveralGroupsOfNodes) {
  Exclusions all;
  EXPECT_FALSE(all.none_left()) << "no node was evaluated";
  all.add({{SlurmNodeName("a")}, 0, {{"x", 1}}});
  EXPECT_TRUE(all.none_left());
  all.add({{SlurmNodeName("b")}, 1, {{"x", 1}}});
  EXPECT_THAT(all.nodes, ElementsAre(SlurmNodeName("a"), SlurmNodeName("b")));
  EXPECT_EQ(all.why.at("x"), 2U);
  EXPECT_FALSE(all.none_left());
}

TEST_F(Exclusion, ATemporaryConditionExcludesNoNode) {
  n1.spec.unschedulable = true;
  n1.status.conditions.push_back({"Ready", "False", "", "", ""});
  n1.spec.taints.push_back({"node.kubernetes.io/not-ready", "", "NoExecute"});
  EXPECT_THAT(decide().nodes, IsEmpty());
}

}  // namespace
}  // namespace bridge::scheduling
