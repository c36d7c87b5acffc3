// SPDX-License-Identifier: Apache-2.0
#include "operator/status/component.h"
#include "operator/status/config_condition.h"
#include "operator/status/slurm_ready.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::status {
namespace {

using ::testing::HasSubstr;

TEST(ComponentCondition, ExistsReadyOrNot) {
  Component component{.condition = "LoginAvailable", .object = "StatefulSet/login"};
  EXPECT_EQ(condition_of(component).reason, "Creating");
  component.rollout = Rollout{.desired = 2, .ready = 1, .current = true};
  EXPECT_EQ(condition_of(component).status, "False");
  EXPECT_EQ(condition_of(component).message, "StatefulSet/login: 1 of 2 pods are ready");
  component.rollout = Rollout{.desired = 2, .ready = 2, .current = true};
  EXPECT_EQ(condition_of(component).status, "True");
  EXPECT_EQ(condition_of(component).reason, "Available");
  component.rollout->current = false;
  EXPECT_EQ(condition_of(component).reason, "Updating");
}

TEST(ComponentCondition, NamesTheProblemOfTheFirstPodByName) {
  Component component{.condition = "LoginAvailable", .object = "StatefulSet/login"};
  component.rollout = Rollout{.desired = 2, .ready = 0, .current = true};
  for (const char* name : {"login-1", "login-0"}) {
    kube::ObservedPod pod;
    pod.metadata.name = name;
    pod.status.conditions = {{"PodScheduled", "False", "Unschedulable", "no room"}};
    component.pods.push_back(pod);
  }
  EXPECT_THAT(condition_of(component).message, HasSubstr("; pod login-0 cannot be scheduled"));
}

struct ConfigRow {
  std::string_view situation;
  std::optional<ConfigReport> report;
  std::string_view status;
  std::string_view reason;
};

TEST(ConfigCondition, EverySituation) {
  const ConfigRow rows[] = {
      {"no answer", std::nullopt, "Unknown", "AgentUnknown"},
      {"active", ConfigReport{"new", "new", ""}, "True", "Active"},
      {"not arrived", ConfigReport{"old", "old", ""}, "False", "Pending"},
      {"an older file was rejected", ConfigReport{"older", "old", "x"}, "False", "Pending"},
      {"being checked", ConfigReport{"new", "old", ""}, "False", "Pending"},
      {"rejected", ConfigReport{"new", "old", "line 3"}, "False", "Rejected"},
  };
  for (const ConfigRow& row : rows) {
    const kube::Condition condition = config_condition("new", row.report);
    EXPECT_EQ(condition.status, row.status) << row.situation;
    EXPECT_EQ(condition.reason, row.reason) << row.situation;
  }
  EXPECT_THAT(config_condition("new", ConfigReport{"new", "old", "slurm.conf line 3"}).message,
              HasSubstr("the previous one stays active: slurm.conf line 3"));
}

slurm::Node node(std::string name, std::vector<std::string> states) {
  slurm::Node node;
  node.name = slurm::SlurmNodeName(std::move(name));
  node.states = std::move(states);
  node.partitions = {"main"};
  return node;
}

workers::SlurmKnown with(std::vector<std::string> states, bool partition_up = true) {
  workers::SlurmKnown known;
  known.nodes.emplace("worker-0", node("worker-0", std::move(states)));
  known.partitions = {{.name = "main", .up = partition_up, .is_default = true, .nodes = {}}};
  return known;
}

TEST(ReadyCondition, AJobCanRunOnANodeThatIsUp) {
  for (const char* state : {"IDLE", "MIXED", "ALLOCATED"})
    EXPECT_EQ(ready_condition(with({state}), 1).status, "True") << state;
}

TEST(ReadyCondition, NodesThatCannotRunJobsAreNamed) {
  for (const char* state : {"DOWN", "NOT_RESPONDING", "DRAIN"}) {
    const kube::Condition condition = ready_condition(with({"IDLE", state}), 1);
    EXPECT_EQ(condition.status, "False") << state;
    EXPECT_THAT(condition.message, HasSubstr("worker-0 is IDLE+"));
  }
  EXPECT_EQ(ready_condition(with({"IDLE"}, false), 1).status, "False") << "the partition is down";
  EXPECT_EQ(ready_condition(workers::SlurmKnown{}, 1).message,
            "Slurm cannot start jobs: no worker has registered with slurmctld");
  EXPECT_EQ(ready_condition(workers::SlurmKnown{}, 0).reason, "NoWorkers");
}

TEST(ReadyCondition, UnknownIsNotFalse) {
  const kube::Condition condition = ready_condition(workers::SlurmUnknown{"no answer"}, 1);
  EXPECT_EQ(condition.status, "Unknown");
  EXPECT_EQ(condition.message, "no answer");
}

}  // namespace
}  // namespace slurmop::status
