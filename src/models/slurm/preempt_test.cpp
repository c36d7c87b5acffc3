// SPDX-License-Identifier: Apache-2.0
#include "models/testing/slurm.h"

#include <gtest/gtest.h>

namespace models::slurm {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;

// On one node, so that preemption is the only way to start.
constexpr auto kNormal = R"({"required_nodes":["k001"],"shared":["none"],"qos":"normal"})";
constexpr auto kLow = R"({"required_nodes":["k001"],"shared":["none"],"qos":"low"})";
constexpr auto kUrgent = R"({"required_nodes":["k001"],"shared":["none"],"qos":"urgent"})";

TEST(SlurmPreempt, WithoutGraceTheVictimEndsAtOnceAndThePreemptorStartsWithTheNextLook) {
  Cluster cluster;
  const auto victim = cluster.id_of(kNormal);
  cluster.settle();
  const auto urgent = cluster.id_of(kUrgent);
  cluster.advance(1s);
  EXPECT_EQ(cluster.job(victim).state, "PREEMPTED");
  EXPECT_EQ(cluster.job(victim).reason, "None");
  EXPECT_EQ(cluster.job(urgent).state, "RUNNING");
}

TEST(SlurmPreempt, WithGraceTheVictimRunsOnAndEndsWithTheLookAtTimeLimitsAfterwards) {
  Cluster cluster;
  cluster.advance(1s);
  const auto victim = cluster.id_of(kLow);
  cluster.settle();
  const auto urgent = cluster.id_of(kUrgent);
  cluster.advance(20s);
  EXPECT_EQ(cluster.job(victim).state, "RUNNING");
  EXPECT_GT(cluster.job(victim).preempt_time, 0);
  EXPECT_EQ(cluster.job(urgent).reason, "Resources");
  cluster.advance(10s);
  EXPECT_EQ(cluster.job(victim).state, "PREEMPTED");
  EXPECT_EQ(cluster.job(urgent).state, "RUNNING");
}

TEST(SlurmPreempt, DuringItsGraceTimeItIsSignalingAndHasAPreemptTime) {
  Cluster cluster;
  cluster.advance(1s);
  const auto victim = cluster.id_of(kLow);
  cluster.settle();
  cluster.slurm.preempt(victim);
  const auto began = cluster.job(victim).preempt_time;
  const std::string path = "/job/" + std::to_string(victim);
  EXPECT_EQ(cluster.ask("GET", path).get({"jobs", "0", "job_state"}).dump(),
            R"(["RUNNING","SIGNALING"])");
  EXPECT_EQ(cluster.ask("GET", "/jobs/state/").get({"jobs", "0", "state"}).dump(),
            R"(["RUNNING","SIGNALING"])");
  cluster.advance(40s);
  EXPECT_EQ(cluster.ask("GET", path).get({"jobs", "0", "job_state"}).dump(), R"(["PREEMPTED"])");
  EXPECT_EQ(cluster.job(victim).preempt_time, began);
}

TEST(SlurmPreempt, ACrashTakesBackAPreemptionThatCameAfterTheLastSave) {
  Cluster cluster;
  cluster.advance(1s);
  const auto victim = cluster.id_of(kLow);
  cluster.settle();
  const base::Instant saved = cluster.clock.now();
  cluster.advance(1s);
  cluster.slurm.preempt(victim);
  cluster.slurm.restart_losing(saved);
  EXPECT_EQ(cluster.job(victim).preempt_time, 0);
  cluster.advance(60s);
  EXPECT_EQ(cluster.job(victim).state, "RUNNING");
}

TEST(SlurmPreempt, AfterACrashAnEarlierPreemptionContinues) {
  Cluster cluster;
  cluster.advance(1s);
  const auto victim = cluster.id_of(kLow);
  cluster.settle();
  cluster.slurm.preempt(victim);
  const auto began = cluster.job(victim).preempt_time;
  cluster.advance(29s);
  const base::Instant saved = cluster.clock.now() - 10s;
  ASSERT_EQ(cluster.job(victim).state, "PREEMPTED");
  cluster.slurm.restart_losing(saved);
  EXPECT_EQ(cluster.job(victim).state, "RUNNING");
  EXPECT_EQ(cluster.job(victim).preempt_time, began);
  cluster.advance(30s);
  EXPECT_EQ(cluster.job(victim).state, "PREEMPTED");
}

// reference/slurm.md 1: external nodes without a slurmd.
TEST(SlurmPreempt, WithoutASlurmdAGraceTimeMakesNodesNotRespondingForGood) {
  auto options = testing::four_nodes();
  options.nodes_answer = false;
  Cluster cluster(options);
  const auto states = [&] {
    return cluster.ask("GET", "/node/k001").get({"nodes", "0", "state"}).dump();
  };
  cluster.advance(1s);
  const auto victim = cluster.id_of(kLow);
  cluster.settle();
  cluster.slurm.preempt(victim);
  cluster.advance(9s);
  EXPECT_FALSE(states().contains("NOT_RESPONDING"));
  cluster.advance(2s);
  EXPECT_TRUE(states().contains("NOT_RESPONDING"));
  EXPECT_EQ(cluster.job(victim).state, "RUNNING");
  cluster.advance(40s);
  const auto next = cluster.id_of(kNormal);
  cluster.advance(40s);
  EXPECT_EQ(cluster.job(next).state, "PENDING");
  EXPECT_EQ(cluster.ask("POST", "/node/k001", R"({"state":["RESUME"]})").error(), 2180);
  EXPECT_TRUE(states().contains("NOT_RESPONDING"));
  cluster.slurm.restart();
  cluster.settle();
  EXPECT_EQ(cluster.job(next).state, "RUNNING");
}

TEST(SlurmPreempt, ASignalOtherThanKillIsSuchATrapAsWellAndANewNodeIsFreeOfIt) {
  auto options = testing::four_nodes();
  options.nodes_answer = false;
  Cluster cluster(options);
  const auto id = cluster.id_of(kNormal);
  cluster.settle();
  cluster.ask("DELETE", "/job/" + std::to_string(id) + "?signal=USR1");
  cluster.advance(11s);
  EXPECT_TRUE(cluster.slurm.nodes().at("k001").not_responding);
  EXPECT_FALSE(cluster.slurm.remove_node("k001")) << "a job is on it";
  cluster.ask("DELETE", "/job/" + std::to_string(id));
  cluster.advance(11s);
  EXPECT_TRUE(cluster.slurm.nodes().at("k001").not_responding) << "KILL is not sent to the nodes";
  const SlurmNode node = options.nodes.front();
  EXPECT_TRUE(cluster.slurm.remove_node("k001"));
  EXPECT_TRUE(cluster.slurm.create_node(node));
  EXPECT_FALSE(cluster.slurm.create_node(node)) << "the node already exists";
  EXPECT_FALSE(cluster.slurm.nodes().at("k001").not_responding);
}

TEST(SlurmPreempt, APreemptedJobEndsPreemptedEvenAtItsTimeLimit) {
  Cluster cluster;
  cluster.advance(1s);
  const auto victim =
      cluster.id_of(R"({"required_nodes":["k001"],"qos":"low","time_limit":1,"shared":["none"]})");
  cluster.advance(58s);
  cluster.id_of(kUrgent);
  cluster.advance(32s);
  EXPECT_EQ(cluster.job(victim).state, "PREEMPTED");
}

TEST(SlurmPreempt, NoJobIsPreemptedWithoutNeed) {
  Cluster cluster;
  const auto elsewhere = cluster.id_of(R"({"required_nodes":["k002"],"qos":"low"})");
  const auto important = cluster.id_of(R"({"required_nodes":["k001"],"qos":"urgent","tasks":2})");
  cluster.settle();
  cluster.id_of(kUrgent);
  cluster.advance(60s);
  EXPECT_EQ(cluster.job(elsewhere).state, "RUNNING");
  EXPECT_EQ(cluster.job(important).state, "RUNNING");
}

}  // namespace
}  // namespace models::slurm
