// SPDX-License-Identifier: Apache-2.0
#include "models/slurm_testing.h"

#include <gtest/gtest.h>

namespace models {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;

// On one node, so that there is no way around it.
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

TEST(SlurmPreempt, WhoeverIsToGoEndsPreemptedAlsoAtHisTimeLimit) {
  Cluster cluster;
  cluster.advance(1s);
  const auto victim =
      cluster.id_of(R"({"required_nodes":["k001"],"qos":"low","time_limit":1,"shared":["none"]})");
  cluster.advance(58s);
  cluster.id_of(kUrgent);
  cluster.advance(32s);
  EXPECT_EQ(cluster.job(victim).state, "PREEMPTED");
}

TEST(SlurmPreempt, NobodyGoesWhoseRoomIsNotNeeded) {
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
}  // namespace models
