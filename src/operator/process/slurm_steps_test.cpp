// SPDX-License-Identifier: Apache-2.0
#include "operator/process/slurm_steps.h"

#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using base::Kind;
using ::testing::ElementsAre;
using testing::FakeNode;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace workers;

slurm::Node node(std::vector<std::string> states, std::string reason = "") {
  slurm::Node one;
  one.states = std::move(states);
  one.reason = std::move(reason);
  return one;
}

TEST(CheckUnchanged, ComparesWhatDecides) {
  struct Row {
    const char* what;
    std::optional<slurm::Node> planned;
    std::optional<slurm::Node> now;
    bool same;
  };
  const Row kRows[] = {
      {"equal", node({"IDLE"}), node({"IDLE"}), true},
      {"never existed", std::nullopt, std::nullopt, true},
      {"registered meanwhile", std::nullopt, node({"IDLE"}), false},
      {"removed meanwhile", node({"IDLE"}), std::nullopt, false},
      {"a job started", node({"IDLE", "DRAIN"}), node({"ALLOCATED", "DRAIN"}), false},
      {"another mix of jobs", node({"ALLOCATED"}), node({"MIXED"}), true},
      {"undrained by an administrator", node({"IDLE", "DRAIN"}), node({"IDLE"}), false},
      {"another reason", node({"IDLE", "DRAIN"}, "ours"), node({"IDLE", "DRAIN"}, "theirs"), false},
      {"went down", node({"IDLE"}), node({"DOWN"}), false},
      {"does not respond", node({"IDLE"}), node({"IDLE", "NOT_RESPONDING"}), true},
  };
  for (const Row& row : kRows) {
    NodesBeforeSteps nodes;
    if (row.planned) nodes.planned["n"] = *row.planned;
    if (row.now) nodes.now["n"] = *row.now;
    EXPECT_EQ(check_unchanged("n", nodes).ok(), row.same) << row.what;
  }
}

struct SlurmStepsTest : ::testing::Test {
  SlurmView seen() {
    SlurmKnown known;
    for (const auto& [name, fake] : world.daemons.nodes)
      known.nodes[name] = node(fake.states, fake.reason);
    return known;
  }
  base::Result<void> run(const std::vector<SlurmStep>& steps, const SlurmView& view) {
    auto nodes = world.run(read_again(world.loop, client, view));
    if (!nodes.ok()) return std::move(nodes).error();
    return world.run(execute_steps(world.loop, client, steps, *nodes));
  }

  testing::ProcessWorld world;
  testing::FakeEndpoints endpoints{world.loop, world.daemons};
  slurm::TokenSource token = slurm::TokenSource::fixed(base::Secret("t"));
  slurm::Client client{world.loop, endpoints.transport, token};
};

TEST_F(SlurmStepsTest, AreExecutedInOrder) {
  for (const char* name : {"a", "b", "c", "d", "e"}) world.daemons.nodes[name] = {};
  world.daemons.nodes["c"].states = {"DOWN"};
  ASSERT_TRUE(run({DrainNode{"a", "slurm-operator: scale down"},
                   UndrainNode{"b"},
                   DownNode{"d", "slurm-operator: pod replaced"},
                   ResumeNode{"c"},
                   RemoveNode{"e"}},
                  seen())
                  .ok());
  EXPECT_THAT(world.daemons.changes,
              ElementsAre("DRAIN a", "UNDRAIN b", "DOWN d", "RESUME c", "DELETE e"));
  EXPECT_EQ(world.daemons.nodes.at("a").reason, "slurm-operator: scale down");
}

TEST_F(SlurmStepsTest, TheFirstFailureEndsThem) {
  world.daemons.nodes = {{"a", {}}, {"b", {}}, {"c", {}}};
  world.daemons.refused_node = "b";
  const auto done = run({DrainNode{"a", "r"}, DrainNode{"b", "r"}, DrainNode{"c", "r"}}, seen());
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(), HasSubstr("drain Slurm node b"));
  EXPECT_THAT(world.daemons.changes, ElementsAre("DRAIN a"));
}

TEST_F(SlurmStepsTest, ANodeThatChangedSinceThePlanIsNotTouched) {
  world.daemons.nodes["a"] = {{"IDLE", "DRAIN"}, "slurm-operator: scale down"};
  const SlurmView before = seen();
  world.daemons.nodes["a"].reason = "broken disk";
  const auto done = run({UndrainNode{"a"}}, before);
  EXPECT_TRUE(done.error().is(Kind::conflict));
  EXPECT_THAT(world.daemons.changes, IsEmpty());
}

TEST_F(SlurmStepsTest, NothingIsDoneWhileSlurmIsUnknown) {
  EXPECT_TRUE(run({DrainNode{"a", "r"}}, SlurmUnknown{"why"}).error().is(Kind::internal));
  EXPECT_THAT(world.daemons.changes, IsEmpty());
}

}  // namespace
}  // namespace slurmop::process
