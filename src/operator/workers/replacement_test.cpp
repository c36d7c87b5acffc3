// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/replacement.h"

#include "operator/workers/testing_workers.h"

#include <gtest/gtest.h>

namespace slurmop::workers {
namespace {

using namespace testing;

TEST(Replacement, IsCreatedWhenSlurmShowsTheOldNodeDown) {
  constexpr const char* kDown = "down worker-0 (slurm-operator: pod replaced)";
  const struct {
    const char* cause;
    std::optional<slurm::Node> node;
    const char* want;
  } kRows[] = {
      {"unknown to Slurm", {}, "create 0"},
      {"idle", slurm_node(0), kDown},
      {"busy", slurm_node(0, {"ALLOCATED"}), kDown},
      {"not responding", slurm_node(0, {"MIXED", "NOT_RESPONDING"}), kDown},
      {"drained by us", slurm_node(0, {"IDLE", "DRAIN"}, "slurm-operator: scale-down"), kDown},
      {"down by us", slurm_node(0, {"DOWN"}, "slurm-operator: pod replaced"), "create 0"},
      {"down by slurmctld",
       slurm_node(0, {"DOWN", "NOT_RESPONDING"}, "Not responding"),
       "create 0"},
      {"down by others", slurm_node(0, {"DOWN"}, "disk"), "create 0"},
      {"drained by others", slurm_node(0, {"IDLE", "DRAIN"}, "fan"), "create 0"},
      {"drained by others, busy", slurm_node(0, {"MIXED", "DRAIN"}, "fan"), "down worker-0 (fan)"},
      {"down and drained by others", slurm_node(0, {"DOWN", "DRAIN"}, "fan"), "create 0"},
  };
  for (const auto& row : kRows) {
    const Worker worker{
        .ordinal = 0, .name = "worker-0", .pod = nullptr, .node = row.node ? &*row.node : nullptr};
    EXPECT_EQ(text(MaybeStep(replace(worker))), row.want) << row.cause;
  }
}

}  // namespace
}  // namespace slurmop::workers
