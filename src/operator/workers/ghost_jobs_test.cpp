// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/ghost_jobs.h"

#include "operator/workers/testing_workers.h"

#include <gtest/gtest.h>

namespace slurmop::workers {
namespace {

using namespace testing;

constexpr const char* kDown = "down worker-0 (slurm-operator: pod replaced)";

TEST(GhostJobs, AreJobsThatStartedBeforeTheContainer) {
  const base::WallTime started = kNow - minutes(1);
  const kube::ObservedPod pod = running_pod(0, started);
  const struct {
    const char* cause;
    base::WallTime job_started;
    slurm::Node node;
    const char* want;
  } kRows[] = {
      {"before the container", started - seconds(3), slurm_node(0, {"MIXED"}), kDown},
      {"within the clock tolerance", started - seconds(2), slurm_node(0, {"MIXED"}), ""},
      {"after the container", started + seconds(5), slurm_node(0, {"MIXED"}), ""},
      {"completing", started - minutes(3), slurm_node(0, {"IDLE", "COMPLETING"}), kDown},
      {"ended meanwhile", started - minutes(3), slurm_node(0), ""},
      {"already down",
       started - minutes(3),
       slurm_node(0, {"DOWN", "COMPLETING"}, "slurm-operator: x"),
       ""},
      {"drained by us",
       started - minutes(3),
       slurm_node(0, {"MIXED", "DRAIN"}, "slurm-operator: x"),
       kDown},
      {"drained by others",
       started - minutes(3),
       slurm_node(0, {"MIXED", "DRAIN"}, "fan"),
       "down worker-0 (fan)"},
  };
  for (const auto& row : kRows) {
    const RunningJob job = job_on(1, {0}, row.job_started);
    const Worker worker{
        .ordinal = 0, .name = "worker-0", .pod = &pod, .node = &row.node, .jobs = {&job}};
    EXPECT_EQ(text(end_ghost_jobs(worker)), row.want) << row.cause;
  }
}

TEST(GhostJobs, OneAmongOtherJobsIsEnough) {
  const kube::ObservedPod pod = running_pod(0, kNow - minutes(1));
  const slurm::Node node = slurm_node(0, {"MIXED"});
  const RunningJob younger = job_on(1, {0}, kNow), ghost = job_on(2, {0}, kNow - hours(1));
  const Worker worker{
      .ordinal = 0, .name = "worker-0", .pod = &pod, .node = &node, .jobs = {&younger, &ghost}};
  EXPECT_EQ(text(end_ghost_jobs(worker)), kDown);
}

TEST(GhostJobs, AreLookedForWhileTheContainerIsNewAndTheNodeBusy) {
  const auto looked_for = [](const kube::ObservedPod& pod, const slurm::Node& node) {
    return may_have_ghost_jobs({.ordinal = 0, .name = "worker-0", .pod = &pod, .node = &node},
                               kNow);
  };
  EXPECT_TRUE(looked_for(running_pod(0, kNow - minutes(3)), slurm_node(0, {"MIXED"})));
  EXPECT_FALSE(looked_for(running_pod(0, kNow - minutes(4)), slurm_node(0, {"MIXED"})));
  EXPECT_FALSE(looked_for(running_pod(0, kNow), slurm_node(0)));
  EXPECT_FALSE(looked_for(crashing_pod(0), slurm_node(0, {"MIXED"})));
}

}  // namespace
}  // namespace slurmop::workers
