// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/out_of_service.h"

#include "operator/workers/testing_workers.h"
#include "slurm/api/node_answer.h"
#include "slurm/testing/sample.h"

#include <gtest/gtest.h>

namespace slurmop::workers {
namespace {

using namespace testing;

TEST(OutOfService, IsOursOnlyWithOurPrefix) {
  const struct {
    const char* cause;
    std::vector<std::string> states;
    const char* reason;
    OutOfService want;
  } kRows[] = {
      {"in service", {"IDLE"}, "", OutOfService::no},
      {"in service, old reason", {"IDLE"}, "slurm-operator: scale-down", OutOfService::no},
      {"our drain", {"IDLE", "DRAIN"}, "slurm-operator: scale-down", OutOfService::by_us},
      {"our down", {"DOWN"}, "slurm-operator: pod replaced", OutOfService::by_us},
      {"our drain is being removed",
       {"IDLE", "DRAIN", "UNDRAIN"},
       "slurm-operator: x",
       OutOfService::no},
      {"another's drain", {"IDLE", "DRAIN"}, "fan", OutOfService::by_others},
      {"the name of the operator in another's text",
       {"DOWN"},
       "see slurm-operator: x",
       OutOfService::by_others},
      {"lost slurmd", {"DOWN", "NOT_RESPONDING"}, "Not responding", OutOfService::by_slurmctld},
      {"replaced slurmd", {"DOWN"}, "Node unexpectedly rebooted", OutOfService::by_slurmctld},
      {"drained, then lost", {"DOWN", "DRAIN"}, "Not responding", OutOfService::by_others},
      {"drained with slurmctld's words",
       {"IDLE", "DRAIN"},
       "Not responding",
       OutOfService::by_others},
      {"our drain, then lost",
       {"DOWN", "DRAIN", "NOT_RESPONDING"},
       "slurm-operator: scale-down : Not responding",
       OutOfService::by_us},
      {"another's drain, then lost",
       {"DOWN", "DRAIN"},
       "fan : Not responding",
       OutOfService::by_others},
      {"lost twice", {"DOWN"}, "Not responding : Not responding", OutOfService::by_slurmctld},
      {"down by an administrator", {"DOWN"}, "disk", OutOfService::by_others},
      {"down without a reason", {"DOWN"}, "", OutOfService::by_others},
      {"drained by a check of Slurm",
       {"IDLE", "DRAIN"},
       "Kill task failed",
       OutOfService::by_others},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(out_of_service(slurm_node(0, row.states, row.reason)), row.want) << row.cause;
  }
}

// Recorded from 26.05.5: worker-0 was replaced, worker-1 is drained by us and busy, worker-2 is set
// down by us.
TEST(OutOfService, OfNodesOfARealSlurm) {
  const auto list = slurm::nodes(slurm::testing::sample("nodes-dynamic"));
  ASSERT_TRUE(list.ok()) << list.error().to_string();
  std::map<std::string, slurm::Node> by_name;
  for (const slurm::Node& node : (*list)->nodes) by_name[node.name.value()] = node;
  EXPECT_EQ(out_of_service(by_name.at("worker-0")), OutOfService::by_slurmctld);
  EXPECT_EQ(out_of_service(by_name.at("worker-1")), OutOfService::by_us);
  EXPECT_TRUE(drained_by_us(by_name.at("worker-1")));
  EXPECT_TRUE(by_name.at("worker-1").busy());
  EXPECT_EQ(out_of_service(by_name.at("worker-2")), OutOfService::by_us);
  EXPECT_FALSE(drained_by_us(by_name.at("worker-2")));
}

TEST(DownReason, KeepsTheReasonOfOthers) {
  EXPECT_EQ(down_reason(slurm_node(0, {"MIXED"})), "slurm-operator: pod replaced");
  EXPECT_EQ(down_reason(slurm_node(0, {"MIXED", "DRAIN"}, "slurm-operator: scale-down")),
            "slurm-operator: pod replaced");
  EXPECT_EQ(down_reason(slurm_node(0, {"MIXED", "DRAIN"}, "fan")), "fan");
  // Slurm needs a reason, and it must not look like ours.
  EXPECT_FALSE(down_reason(slurm_node(0, {"MIXED", "DRAIN"})).starts_with(kReasonPrefix));
}

}  // namespace
}  // namespace slurmop::workers
