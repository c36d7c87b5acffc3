// SPDX-License-Identifier: Apache-2.0
#include "bridge/testing_node_syncer.h"

#include <gmock/gmock.h>

namespace bridge {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
  EXPECT_THAT(kube_writes().front(), HasSubstr("PATCH /api/v1/nodes/n1 "));
  EXPECT_THAT(kube_writes().front(), HasSubstr(R"("resourceVersion":"1")"));
  EXPECT_THAT(kube_writes().front(), HasSubstr(R"("unschedulable":true)"));
  EXPECT_THAT(slurm_writes(), IsEmpty());
}

TEST_F(NodeSyncing, LooksAtTheNodeItselfBeforeItChangesIt) {
  slurm_["n1"] = {};
  see_node("n1");
  pass(seconds(15));
  // Somebody drains it in the moment of the cordon; the list does not know yet.
  slurm_["n1"] = {{"IDLE", "EXTERNAL", "DRAIN"}, "fan", ""};
  see_node("n1", R"({"unschedulable":true})");
  pass(seconds(10));
  EXPECT_EQ(slurm_["n1"].reason, "fan");
  EXPECT_THAT(slurm_writes(), IsEmpty());
}

TEST_F(NodeSyncing, RegistersAndMarksALabelledNodeAlsoInAnEmptySlurm) {
  see_node("new", "{}", R"(,"labels":{"scheduler.slinky.slurm.net/external-node":""})");
  pass(seconds(10));
  ASSERT_EQ(slurm_writes().size(), 2U);
  EXPECT_THAT(slurm_writes()[0], HasSubstr("POST /new/node/ "));
  EXPECT_THAT(slurm_writes()[1], HasSubstr("cluster-1"));
}

TEST_F(NodeSyncing, AnUnknownPartitionIsNotAskedForAgainAndAgain) {
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

TEST_F(NodeSyncing, WhoDoesNotLeadDoesNothing) {
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

}  // namespace
}  // namespace bridge
