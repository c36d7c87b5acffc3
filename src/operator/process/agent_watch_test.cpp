// SPDX-License-Identifier: Apache-2.0
#include "operator/process/agent_watch.h"

#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using namespace std::chrono_literals;

struct AgentWatchTest : testing::StoresTest {
  AgentWatchTest() {
    world.daemons.report = {"h1", "h1", ""};
    world.add_config_map("a-slurm-configs", "a", R"({"hash":"h1"})");
    fill();
    watch.on_change([this] { ++changes; });
    world.work.spawn("watch", watch.run());
  }
  ~AgentWatchTest() override { world.finish(); }
  std::size_t calls() const { return endpoints.transport.calls.size(); }

  testing::FakeEndpoints endpoints{world.loop, world.daemons};
  AgentWatch watch{{world.access, stores, endpoints}, {"default", "a"}};
  int changes = 0;
};

TEST_F(AgentWatchTest, TheReportIsReadAndItsChangeIsReported) {
  EXPECT_EQ(watch.report(), std::nullopt);
  world.pass(1s);
  ASSERT_TRUE(watch.report().has_value());
  EXPECT_EQ(watch.report()->active, "h1");
  EXPECT_EQ(changes, 1);
  world.daemons.report.error = "slurm.conf line 12: unknown key";
  world.pass(10s);
  EXPECT_EQ(watch.report()->error, "slurm.conf line 12: unknown key");
  EXPECT_EQ(changes, 2);
}

TEST_F(AgentWatchTest, IsReadOftenOnlyWhileTheNewestFilesAreNotSeen) {
  world.pass(1min);
  EXPECT_NEAR(static_cast<double>(calls()), 12, 2);
  world.send("PATCH",
             "/api/v1/namespaces/default/configmaps/a-slurm-configs",
             R"({"data":{"hash":"h2"}})");
  world.pass(6s);
  const std::size_t before = calls();
  world.pass(30s);
  EXPECT_NEAR(static_cast<double>(calls() - before), 30, 2);
}

TEST_F(AgentWatchTest, AnAgentThatDoesNotAnswerReportsNothingAfterAWhile) {
  world.pass(1s);
  world.daemons.agent_answers = false;
  world.pass(10s);
  EXPECT_TRUE(watch.report().has_value());
  world.pass(15s);
  EXPECT_EQ(watch.report(), std::nullopt);
}

TEST_F(AgentWatchTest, TheReportOfAnEarlierPodDoesNotCount) {
  world.pass(1s);
  world.daemons.agent_answers = false;
  endpoints.agent_address = Address{"10.0.0.77", 6880};
  world.pass(6s);
  EXPECT_EQ(watch.report(), std::nullopt);
}

}  // namespace
}  // namespace slurmop::process
