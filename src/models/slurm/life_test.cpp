// SPDX-License-Identifier: Apache-2.0
#include "models/testing/slurm.h"

#include <gtest/gtest.h>

namespace models::slurm {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;

TEST(SlurmLife, ATimeLimitIsLookedAtEveryThirtySeconds) {
  Cluster cluster;
  cluster.advance(10s);
  const auto id = cluster.id_of(R"({"time_limit":1})");
  cluster.advance(60s);
  EXPECT_EQ(cluster.job(id).state, "RUNNING");
  cluster.advance(20s);  // the clock is at 90 s
  EXPECT_EQ(cluster.job(id).state, "TIMEOUT");
  EXPECT_EQ(cluster.job(id).reason, "TimeLimit");
}

TEST(SlurmLife, AnEndedJobIsForgottenAfterMinJobAge) {
  Cluster cluster;
  cluster.submit();
  cluster.ask("DELETE", "/job/1");
  cluster.advance(299s);
  EXPECT_NE(cluster.slurm.find(1), nullptr);
  cluster.advance(31s);
  EXPECT_EQ(cluster.slurm.find(1), nullptr);
  EXPECT_EQ(cluster.ask("GET", "/job/1").error(), 2017);
}

TEST(SlurmLife, TimeCanJumpWhenNothingIsLeftToHappen) {
  Cluster cluster;
  cluster.settle();
  EXPECT_EQ(cluster.slurm.next_tick(), base::kNever);
  cluster.submit(R"({"hold":true})");
  EXPECT_EQ(cluster.slurm.next_tick(), base::kNever);
  cluster.submit(R"({"time_limit":null})");
  EXPECT_NE(cluster.slurm.next_tick(), base::kNever);
  cluster.settle();
  EXPECT_EQ(cluster.slurm.next_tick(), base::kNever);
}

TEST(SlurmLife, ATickBeforeItsTimeChangesNothing) {
  Cluster cluster;
  cluster.advance(100ms);
  cluster.submit();
  cluster.slurm.tick();
  EXPECT_EQ(cluster.job(1).state, "PENDING");
  EXPECT_EQ(cluster.slurm.next_tick(), base::Instant(250ms));
}

TEST(SlurmLife, ADrainedNodeKeepsItsJobAndTakesNoNewOne) {
  Cluster cluster;
  const auto runs = cluster.id_of(R"({"required_nodes":["k001"]})");
  cluster.settle();
  cluster.slurm.drain("k001", "why");
  const auto waits = cluster.id_of(R"({"required_nodes":["k001"]})");
  cluster.settle();
  EXPECT_EQ(cluster.job(runs).state, "RUNNING");
  EXPECT_EQ(cluster.job(waits).state, "PENDING");
  EXPECT_EQ(cluster.job(waits).reason, "ReqNodeNotAvail");
  cluster.slurm.undrain("k001");
  cluster.settle();
  EXPECT_EQ(cluster.job(waits).state, "RUNNING");
}

TEST(SlurmLife, ANodeThatFailsEndsItsJobs) {
  Cluster cluster;
  const auto id = cluster.id_of(R"({"required_nodes":["k001"]})");
  cluster.settle();
  cluster.slurm.fail_node("k001", "dead");
  EXPECT_EQ(cluster.job(id).state, "NODE_FAIL");
  EXPECT_EQ(cluster.job(id).failed_node, "k001");
  cluster.slurm.resume_node("k001");
  EXPECT_TRUE(cluster.slurm.nodes().at("k001").takes_jobs());
}

TEST(SlurmLife, ASuspendedJobHoldsItsNodesAndItsTimeStandsStill) {
  Cluster cluster;
  const auto id = cluster.id_of(R"({"time_limit":1,"cpus_per_task":32,"required_nodes":["k001"]})");
  cluster.settle();
  cluster.slurm.suspend(id);
  EXPECT_EQ(cluster.ask("GET", "/resources/1").error(), 2085);
  const auto other = cluster.id_of(R"({"required_nodes":["k001"]})");
  cluster.advance(10min);
  EXPECT_EQ(cluster.job(id).state, "SUSPENDED");
  EXPECT_EQ(cluster.job(other).state, "PENDING");
  cluster.slurm.resume_job(id);
  cluster.advance(30s);
  EXPECT_EQ(cluster.job(id).state, "RUNNING");
  cluster.advance(90s);
  EXPECT_EQ(cluster.job(id).state, "TIMEOUT");
}

TEST(SlurmLife, EveryChangeIsReportedInOrder) {
  Cluster cluster;
  std::vector<std::string> changes;
  cluster.slurm.on_change([&](const JobChange& change) {
    changes.push_back(fmt::format("{} {}", change.what, change.job->id));
  });
  cluster.submit();
  cluster.settle();
  cluster.ask("POST", "/job/1", R"({"admin_comment":"x"})");
  cluster.ask("DELETE", "/job/1");
  cluster.advance(10min);
  EXPECT_EQ(
      changes,
      (std::vector<std::string>{"submitted 1", "started 1", "updated 1", "ended 1", "purged 1"}));
}

TEST(SlurmRestart, StaticExternalNodesForgetTheirDrainButNotItsReason) {
  SlurmOptions options = testing::four_nodes();
  options.nodes[1].dynamic = true;
  Cluster cluster(options);
  cluster.slurm.drain("k001", "why");
  cluster.slurm.drain("k002", "why");
  cluster.submit();
  cluster.settle();
  cluster.slurm.restart();
  EXPECT_FALSE(cluster.slurm.nodes().at("k001").drained);
  EXPECT_EQ(cluster.slurm.nodes().at("k001").reason, "why");
  EXPECT_TRUE(cluster.slurm.nodes().at("k002").drained);
  EXPECT_EQ(cluster.job(1).state, "RUNNING");
}

TEST(SlurmRestart, WhatWasNotSavedNeverWasAndItsIdsAreGivenAgain) {
  Cluster cluster;
  const auto runs = cluster.id_of(R"({"required_nodes":["k001"],"cpus_per_task":32})");
  const auto held = cluster.id_of(R"({"hold":true,"excluded_nodes":["k001"]})");
  cluster.advance(2s);
  const base::Instant saved = cluster.clock.now();
  cluster.advance(1s);
  cluster.ask("DELETE", "/job/" + std::to_string(runs));
  cluster.ask("POST", "/job/" + std::to_string(held), R"({"hold":false})");
  const auto lost = cluster.id_of(R"({"required_nodes":["k001"],"cpus_per_task":32})");
  cluster.settle();
  ASSERT_EQ(cluster.job(lost).state, "RUNNING");
  ASSERT_EQ(cluster.job(held).state, "RUNNING");

  cluster.slurm.restart_losing(saved);
  EXPECT_EQ(cluster.slurm.find(lost), nullptr);
  EXPECT_EQ(cluster.job(runs).state, "RUNNING");
  EXPECT_EQ(cluster.job(held).state, "PENDING");
  EXPECT_TRUE(cluster.job(held).nodes.empty());
  EXPECT_EQ(cluster.id_of("{}"), lost);
  cluster.settle();
  EXPECT_EQ(cluster.job(held).state, "RUNNING");
}

TEST(SlurmRestart, AfterAnEmptyStateDirectoryNoJobIsKnownAndIdsBeginAgain) {
  Cluster cluster;
  cluster.submit();
  cluster.settle();
  std::vector<std::string> changes;
  cluster.slurm.on_change([&](const JobChange& c) { changes.emplace_back(c.what); });
  cluster.slurm.restart_empty();
  EXPECT_EQ(changes, std::vector<std::string>{"lost"});
  EXPECT_TRUE(cluster.slurm.jobs().empty());
  EXPECT_EQ(cluster.id_of(R"({"memory_per_node":131072})"), 1U);
  cluster.settle();
  EXPECT_EQ(cluster.job(1).nodes, std::vector<std::string>{"k001"});
}

}  // namespace
}  // namespace models::slurm
