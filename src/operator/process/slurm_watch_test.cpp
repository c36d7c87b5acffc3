// SPDX-License-Identifier: Apache-2.0
#include "operator/process/slurm_watch.h"

#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using namespace std::chrono_literals;
using base::Error;
using base::Kind;
using ::testing::HasSubstr;
using workers::SlurmKnown;
using workers::SlurmUnknown;

struct SlurmWatchTest : testing::StoresTest {
  void start() {
    fill();
    watch.on_change([this] { ++changes; });
    world.work.spawn("watch", watch.run());
  }
  void start_with_key() {
    world.add_jwt_key("a");
    start();
    world.wait_until([this] { return is_known(); });
  }
  bool is_known() const { return std::holds_alternative<SlurmKnown>(watch.view()); }
  SlurmKnown known() const { return std::get<SlurmKnown>(watch.view()); }
  std::string why() const { return std::get<SlurmUnknown>(watch.view()).why; }
  ~SlurmWatchTest() override { world.finish(); }

  testing::FakeEndpoints endpoints{world.loop, world.daemons};
  SlurmWatch watch{{world.access, stores, endpoints}, {"default", "a"}};
  int changes = 0;
};

TEST_F(SlurmWatchTest, IsUnknownUntilTheKeyExistsAndSlurmAnswers) {
  world.daemons.nodes["worker-0"] = {};
  start();
  world.pass(10s);
  EXPECT_THAT(why(), HasSubstr("Secret a-rest-jwt-key does not exist yet"));
  EXPECT_TRUE(endpoints.transport.calls.empty());
  world.add_jwt_key("a");
  world.wait_until([this] { return is_known(); });
  EXPECT_GE(changes, 1);
  EXPECT_EQ(known().nodes.size(), 1U);
  ASSERT_EQ(known().partitions.size(), 1U);
  EXPECT_EQ(known().partitions.front().name, "main");
  EXPECT_LE(known().as_of, world.clock.wall());
}

TEST_F(SlurmWatchTest, CallsCarryATokenThatIsMintedWithTheKey) {
  start_with_key();
  for (const auto& call : endpoints.transport.calls) {
    const auto token = call.request.header("X-SLURM-USER-TOKEN");
    ASSERT_TRUE(token.has_value());
    const auto claims = slurm::claims(base::Secret(*token));
    ASSERT_TRUE(claims.ok());
    EXPECT_EQ(claims->user, "slurm");
  }
  std::size_t reads = 0;
  for (const auto& request : world.transport.requests)
    reads += request.target.ends_with("/secrets/a-rest-jwt-key") ? 1U : 0U;
  world.pass(10min);
  EXPECT_EQ(reads, 1U);
}

TEST_F(SlurmWatchTest, AnOutageMakesItUnknownAfterFifteenSecondsAndNotBefore) {
  start_with_key();
  world.pass(10s);
  changes = 0;
  world.daemons.outage = Error(Kind::unreachable, "connection refused");
  world.pass(9s);
  EXPECT_TRUE(is_known());
  world.pass(7s);
  EXPECT_FALSE(is_known());
  EXPECT_EQ(changes, 1);
  EXPECT_THAT(why(), HasSubstr("connection refused"));
  world.daemons.outage.reset();
  world.wait_until([this] { return is_known(); });
  EXPECT_EQ(changes, 2);
}

TEST_F(SlurmWatchTest, AChangedNodeIsReported) {
  world.daemons.nodes["worker-0"] = {};
  start_with_key();
  world.pass(10s);
  changes = 0;
  world.pass(1min);
  EXPECT_EQ(changes, 0);
  world.daemons.nodes["worker-0"].states = {"IDLE", "DRAIN"};
  world.wait_until([this] { return changes > 0; });
  EXPECT_TRUE(known().nodes.at("worker-0").draining());
}

TEST_F(SlurmWatchTest, ARestartOfSlurmdIsReportedAlthoughTheStateIsTheSame) {
  world.daemons.nodes["worker-0"] = {{"DOWN"}, "slurm-operator: replaced", 100};
  start_with_key();
  world.pass(10s);
  changes = 0;
  world.daemons.nodes["worker-0"].slurmd_start_time = 200;
  world.wait_until([this] { return changes > 0; });
  EXPECT_EQ(known().nodes.at("worker-0").slurmd_start_time, 200);
}

TEST_F(SlurmWatchTest, JobsAreReadOnlyWhileTheyAreWanted) {
  world.daemons.jobs[7] = "worker-0";
  start_with_key();
  world.pass(1min);
  EXPECT_EQ(known().jobs, std::nullopt);
  EXPECT_EQ(endpoints.transport.count("/job"), 0U);
  changes = 0;
  watch.want_jobs(true);
  world.wait_until([this] { return changes > 0; });
  ASSERT_TRUE(known().jobs.has_value());
  ASSERT_EQ(known().jobs->size(), 1U);
  EXPECT_EQ(known().jobs->front().id, slurm::JobId(7));
  EXPECT_THAT(known().jobs->front().nodes, ::testing::ElementsAre("worker-0"));
  watch.want_jobs(false);
  EXPECT_EQ(known().jobs, std::nullopt);
}

TEST_F(SlurmWatchTest, AfterAStepItLooksAtOnce) {
  world.daemons.nodes["worker-0"] = {};
  start_with_key();
  watch.expect_changes(false);
  world.pass(2min);
  world.daemons.nodes["worker-0"].reason = "x";
  watch.hurry();
  world.pass(100ms);
  EXPECT_EQ(known().nodes.at("worker-0").reason, "x");
}

}  // namespace
}  // namespace slurmop::process
