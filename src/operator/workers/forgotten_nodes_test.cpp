// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/forgotten_nodes.h"

#include "operator/workers/testing_workers.h"

#include <gtest/gtest.h>

namespace slurmop::workers {
namespace {

using namespace testing;

TEST(ForgottenNode, IsRemovedWhenNoJobIsShownOnIt) {
  constexpr const char* kRemove = "remove worker-0";
  constexpr const char* kDown = "down worker-0 (slurm-operator: pod replaced)";
  slurm::Node configured = slurm_node(0);
  std::erase(configured.states, "DYNAMIC_NORM");
  const struct {
    const char* cause;
    slurm::Node node;
    const char* want;
  } kRows[] = {
      {"idle", slurm_node(0), kRemove},
      {"idle, of slurm.conf", configured, ""},
      {"drained by us", slurm_node(0, {"IDLE", "DRAIN"}, "slurm-operator: scale-down"), kRemove},
      {"drained by others", slurm_node(0, {"IDLE", "DRAIN"}, "fan"), kRemove},
      {"down", slurm_node(0, {"DOWN", "NOT_RESPONDING"}, "Not responding"), kRemove},
      {"ghost jobs", slurm_node(0, {"MIXED"}), kDown},
      {"completing ghost jobs", slurm_node(0, {"IDLE", "COMPLETING"}), kDown},
      {"ghost jobs, drained by us",
       slurm_node(0, {"MIXED", "DRAIN"}, "slurm-operator: scale-down"),
       kDown},
      {"ghost jobs are completing", slurm_node(0, {"DOWN", "COMPLETING"}, "slurm-operator: x"), ""},
  };
  for (const auto& row : kRows) {
    const Worker worker{.ordinal = 0, .name = "worker-0", .pod = nullptr, .node = &row.node};
    EXPECT_EQ(text(forget_node(worker)), row.want) << row.cause;
  }
}

}  // namespace
}  // namespace slurmop::workers
