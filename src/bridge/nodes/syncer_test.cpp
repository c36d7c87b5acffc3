// SPDX-License-Identifier: Apache-2.0
#include "bridge/testing/node_syncer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace bridge::nodes {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kLabel = R"(,"labels":{"scheduler.slinky.slurm.net/external-node":""})";

class NodeSyncing : public testing::NodeSyncerTest {
 protected:
  NodeSyncing() { live_.nodes.taint = false; }
};

TEST_F(NodeSyncing, ACordonBecomesADrainOnceAndAnUncordonEndsIt) {
  slurm_["n1"] = {};
  see_node("n1");
  pass(seconds(15));
  see_node("n1", R"({"unschedulable":true})");
  pass(seconds(30));
  see_node("n1");
  pass(seconds(30));
  EXPECT_THAT(slurm_writes(),
              ElementsAre(R"(POST /node/n1 {"state":["DRAIN"],"reason":"slurm-bridge: )"
                          R"(Corresponding Kubernetes node (n1) is unschedulable"})",
                          R"(POST /node/n1 {"state":["UNDRAIN"]})"));
  EXPECT_THAT(kube_writes(), IsEmpty());
}

TEST_F(NodeSyncing, ADrainBecomesACordonOfThatVersionOfTheNode) {
  slurm_["n1"] = {{"IDLE", "EXTERNAL", "DRAIN"}, "fan", ""};
  see_node("n1");
  pass(seconds(2));
  ASSERT_FALSE(kube_writes().empty());
  EXPECT_THAT(kube_writes().front(), HasSubstr("PATCH /api/v1/nodes/n1?"));
  EXPECT_THAT(kube_writes().front(), HasSubstr(R"("resourceVersion":"1")"));
  EXPECT_THAT(kube_writes().front(), HasSubstr(R"("unschedulable":true)"));
  EXPECT_THAT(slurm_writes(), IsEmpty());
}

TEST_F(NodeSyncing, LooksAtTheNodeItselfBeforeItChangesIt) {
  slurm_["n1"] = {};
  see_node("n1");
  pass(seconds(15));
  // An administrator drains it at the moment of the cordon; the list does not show that yet.
  slurm_["n1"] = {{"IDLE", "EXTERNAL", "DRAIN"}, "fan", ""};
  see_node("n1", R"({"unschedulable":true})");
  pass(seconds(10));
  EXPECT_EQ(slurm_["n1"].reason, "fan");
  EXPECT_THAT(slurm_writes(), IsEmpty());
}

// Simulation seed 84009949: no poll shows the drain, so its end is not reported as a change.
TEST_F(NodeSyncing, ADrainBetweenTwoPollsDoesNotHideACordon) {
  slurm_["n1"] = {};
  see_node("n1");
  pass(seconds(15));
  slurm_["n1"] = {{"IDLE", "EXTERNAL", "DRAIN"}, "fan", ""};
  see_node("n1", R"({"unschedulable":true})");
  pass(std::chrono::milliseconds(100));
  ASSERT_THAT(slurm_writes(), IsEmpty());
  slurm_["n1"] = {};
  pass(seconds(10));
  ASSERT_EQ(slurm_writes().size(), 1U);
  EXPECT_THAT(slurm_writes()[0], HasSubstr(R"("state":["DRAIN"])"));
}

TEST_F(NodeSyncing, RegistersAndMarksALabelledNodeAlsoInAnEmptySlurm) {
  see_node("new", "{}", kLabel);
  pass(seconds(10));
  ASSERT_EQ(slurm_writes().size(), 2U);
  EXPECT_THAT(slurm_writes()[0], HasSubstr("POST /new/node/ "));
  EXPECT_THAT(slurm_writes()[1], HasSubstr("cluster-1"));
}

TEST_F(NodeSyncing, WhatWasJustMadeIsNotMadeAgainBeforeSlurmsListCanShowIt) {
  slurm_["n1"] = {};
  see_node("n1");
  pass(seconds(15));
  for (int beat = 0; beat < 20; ++beat) {
    see_node("new", fmt::format(R"({{"providerID":"beat-{}"}})", beat), kLabel);
    pass(std::chrono::milliseconds(5));
  }
  pass(seconds(10));
  EXPECT_EQ(slurm_calls("/new/node/"), 1U);
  EXPECT_THAT(slurm_["new"].comment, HasSubstr("cluster-1"));
}

TEST_F(NodeSyncing, AnUnknownPartitionIsNotRequestedRepeatedly) {
  slurm_["n1"] = {};
  see_node("new",
           "{}",
           R"(,"labels":{"scheduler.slinky.slurm.net/external-node":""},"annotations":)"
           R"({"scheduler.slinky.slurm.net/external-node-partitions":"shrot"})");
  pass(seconds(50));
  EXPECT_EQ(slurm_calls("/partitions/"), 1U);
  EXPECT_THAT(slurm_writes(), IsEmpty());
  pass(seconds(60));
  EXPECT_EQ(slurm_calls("/partitions/"), 2U);
}

TEST_F(NodeSyncing, LooksAtTheKubernetesNodeItselfBeforeItChangesSlurms) {
  // Another instance, whose watch is not behind, has already undrained it.
  slurm_["n1"] = {{"IDLE", "EXTERNAL", "DRAIN"}, "slurm-bridge: x", ""};
  see_node("n1", R"({"unschedulable":true})");
  pass(seconds(15));
  uncordon_unseen("n1");
  slurm_["n1"] = {};
  slurm_changed();
  pass(seconds(30));
  EXPECT_THAT(slurm_writes(), IsEmpty());
}

TEST_F(NodeSyncing, WhileKubernetesIsAwayANodeIsDrainedAndNothingElseIsDone) {
  slurm_["n1"] = {};
  slurm_["n2"] = {{"IDLE", "EXTERNAL", "DRAIN"}, "slurm-bridge: x", ""};
  see_node("n1");
  see_node("n2", R"({"unschedulable":true})");
  pass(seconds(15));
  kubernetes_is_away(true);
  see_node("n1", R"({"unschedulable":true})");
  see_node("n2");
  pass(seconds(30));
  ASSERT_EQ(slurm_writes().size(), 1U);
  EXPECT_THAT(slurm_writes().front(), HasSubstr(R"(POST /node/n1 {"state":["DRAIN"])"));
  kubernetes_is_away(false);
  pass(seconds(60));
  EXPECT_EQ(slurm_["n2"].states, (std::vector<std::string>{"IDLE", "EXTERNAL"}));
}

std::string labelled_for(const std::string& partition) {
  return std::string(kLabel) +
         R"(,"annotations":{"scheduler.slinky.slurm.net/external-node-partitions":")" + partition +
         R"("})";
}

TEST_F(NodeSyncing, WhileKubernetesIsAwayADrainWaitsForNoOtherChange) {
  slurm_["n1"] = {};
  see_node("n1");
  pass(seconds(15));
  kubernetes_is_away(true);
  see_node("n1", R"({"unschedulable":true})", labelled_for("short"));
  pass(seconds(30));
  ASSERT_EQ(slurm_writes().size(), 1U);
  EXPECT_THAT(slurm_writes().front(), HasSubstr(R"(POST /node/n1 {"state":["DRAIN"])"));
}

TEST_F(NodeSyncing, WhatSlurmRefusesDelaysNoDrain) {
  slurm_["n1"] = {};
  see_node("n1");
  pass(seconds(15));
  see_node("n1", R"({"unschedulable":true})", labelled_for("shrot"));
  pass(seconds(5));
  ASSERT_EQ(slurm_writes().size(), 1U);
  EXPECT_THAT(slurm_writes().front(), HasSubstr(R"(POST /node/n1 {"state":["DRAIN"])"));
}

TEST_F(NodeSyncing, ResourceSlicesAreReadOnlyWhereANodeIsToBeRegistered) {
  slurm_["n1"] = {};
  see_node("n1");
  pass(seconds(30));
  EXPECT_EQ(kube_calls("resourceslices"), 0U);
  see_node("new", "{}", kLabel);
  pass(seconds(5));
  EXPECT_GT(kube_calls("resourceslices"), 0U);
}

constexpr const char* kOneGpu =
    R"({"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a"},"spec":{)"
    R"("driver":"gpu.nvidia.com","nodeName":"new","pool":{"name":"new","generation":1,)"
    R"("resourceSliceCount":1},"devices":[{"name":"gpu-0"}]}}]})";

TEST_F(NodeSyncing, RegistersTheDevicesOfANode) {
  slices_ = kOneGpu;
  see_node("new", "{}", kLabel);
  pass(seconds(5));
  ASSERT_FALSE(slurm_writes().empty());
  EXPECT_THAT(slurm_writes()[0], HasSubstr("Gres=gpu:gpu.nvidia.com:1"));
}

class WithoutSlices : public NodeSyncing, public ::testing::WithParamInterface<unsigned> {};
INSTANTIATE_TEST_SUITE_P(NodeSyncing, WithoutSlices, ::testing::Values(403U, 404U));

TEST_P(WithoutSlices, NodesAreRegisteredWithoutDevicesAndTheServerIsNotPressed) {
  slices_status_ = GetParam();
  see_node("new", "{}", kLabel);
  pass(seconds(30));
  ASSERT_FALSE(slurm_writes().empty());
  EXPECT_THAT(slurm_writes()[0], HasSubstr("POST /new/node/ "));
  EXPECT_EQ(kube_calls("resourceslices"), 1U);  // and not again
}

TEST_F(NodeSyncing, AnInstanceThatDoesNotLeadDoesNothing) {
  leads_ = false;
  slurm_["n1"] = {{"IDLE", "EXTERNAL", "DRAIN"}, "fan", ""};
  slurm_["n2"] = {};
  see_node("n1");
  see_node("n2", R"({"unschedulable":true})");
  pass(seconds(30));
  EXPECT_THAT(kube_writes(), IsEmpty());
  EXPECT_THAT(slurm_writes(), IsEmpty());
  EXPECT_EQ(slurm_calls("/node/"), 0U);
}

TEST_F(NodeSyncing, TwoNodesThatClaimOneNameAreLeftAlone) {
  slurm_["n1"] = {};
  see_node(
      "n1", R"({"unschedulable":true})", R"(,"labels":{"slinky.slurm.net/slurm-nodename":"n1"})");
  see_node(
      "n2", R"({"unschedulable":true})", R"(,"labels":{"slinky.slurm.net/slurm-nodename":"n1"})");
  pass(seconds(30));
  EXPECT_THAT(slurm_writes(), IsEmpty());
}

TEST_F(NodeSyncing, AllNodesGoneFromSlurmProvesNothing) {
  slurm_["n1"] = {};
  const std::string noted = R"(,"annotations":{"slinky.slurm.net/slurm-drain-reason":"fan"})";
  see_node("n1", R"({"unschedulable":true})", noted);
  leads_ = false;
  pass(seconds(5));
  slurm_.clear();
  pass(seconds(5));
  leads_ = true;
  see_node("n1", R"({"unschedulable":true})", noted);
  pass(seconds(30));
  EXPECT_THAT(kube_writes(), IsEmpty());
}

// An autoscaler creates and deletes nodes all the time, with new names.
TEST_F(NodeSyncing, DeletedNodesThatSlurmDoesNotHaveAreNotRemembered) {
  slurm_["n1"] = {};
  see_node("n1");
  for (int n = 0; n < 50; ++n) {
    see_node(fmt::format("scaled-{}", n));
    pass(seconds(1));
    delete_node(fmt::format("scaled-{}", n));
  }
  pass(seconds(15));
  EXPECT_EQ(deletions_remembered(), 0U);
  // A new node of an administrator with an old name is not ours.
  slurm_["scaled-7"] = {};
  pass(seconds(30));
  EXPECT_THAT(slurm_writes(), IsEmpty());
}

TEST_F(NodeSyncing, ANodeThatIsDeletedBeforeWeHeardOfItFromSlurmIsDrained) {
  slurm_["n1"] = {};
  see_node("n1");
  see_node("n2");
  pass(seconds(15));
  slurm_["n2"] = {};
  delete_node("n2");
  pass(seconds(30));
  EXPECT_THAT(slurm_writes(),
              ElementsAre(R"(POST /node/n2 {"state":["DRAIN"],"reason":"slurm-bridge: )"
                          R"(Kubernetes node (n2) is gone"})"));
  EXPECT_EQ(deletions_remembered(), 0U);
}

TEST_F(NodeSyncing, ASlurmWithoutAnyNodeMakesUsForgetDeletionsLater) {
  see_node("n1");
  pass(seconds(15));
  delete_node("n1");
  pass(seconds(60));
  EXPECT_EQ(deletions_remembered(), 1U) << "it may not be the Slurm that we know";
  pass(std::chrono::hours(1));
  EXPECT_EQ(deletions_remembered(), 0U);
}

}  // namespace
}  // namespace bridge::nodes
