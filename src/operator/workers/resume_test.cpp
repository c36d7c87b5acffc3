// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/resume.h"

#include "operator/workers/testing_workers.h"

#include <gtest/gtest.h>

namespace slurmop::workers {
namespace {

using namespace testing;

TEST(ReturnToService, ResumesOurNodesAfterTheNewSlurmdHasRegistered) {
  const kube::ObservedPod registered = running_pod(0);  // slurm_node() registered after it
  const kube::ObservedPod newer = running_pod(0, kNow - seconds(5));
  const struct {
    const char* cause;
    const kube::ObservedPod& pod;
    slurm::Node node;
    const char* want;
  } kRows[] = {
      {"in service", registered, slurm_node(0), ""},
      {"our drain",
       registered,
       slurm_node(0, {"IDLE", "DRAIN"}, "slurm-operator: scale-down"),
       "undrain worker-0"},
      {"our drain, busy",
       registered,
       slurm_node(0, {"MIXED", "DRAIN"}, "slurm-operator: scale-down"),
       "undrain worker-0"},
      {"another's drain", registered, slurm_node(0, {"IDLE", "DRAIN"}, "fan"), ""},
      {"our down",
       registered,
       slurm_node(0, {"DOWN"}, "slurm-operator: pod replaced"),
       "resume worker-0"},
      {"our down, old slurmd", newer, slurm_node(0, {"DOWN"}, "slurm-operator: pod replaced"), ""},
      {"our down, does not respond",
       registered,
       slurm_node(0, {"DOWN", "NOT_RESPONDING"}, "slurm-operator: pod replaced"),
       ""},
      {"our down and drain",
       registered,
       slurm_node(0, {"DOWN", "DRAIN"}, "slurm-operator: scale-down"),
       "resume worker-0"},
      {"rebooted",
       registered,
       slurm_node(0, {"DOWN"}, "Node unexpectedly rebooted"),
       "resume worker-0"},
      {"rebooted, then drained",
       registered,
       slurm_node(0, {"DOWN", "DRAIN"}, "Node unexpectedly rebooted"),
       ""},
      {"lost and back", registered, slurm_node(0, {"DOWN"}, "Not responding"), "resume worker-0"},
      {"lost", registered, slurm_node(0, {"DOWN", "NOT_RESPONDING"}, "Not responding"), ""},
      {"another's down", registered, slurm_node(0, {"DOWN"}, "disk"), ""},
  };
  for (const auto& row : kRows) {
    const Worker worker{.ordinal = 0, .name = "worker-0", .pod = &row.pod, .node = &row.node};
    EXPECT_EQ(text(return_to_service(worker)), row.want) << row.cause;
  }
}

}  // namespace
}  // namespace slurmop::workers
