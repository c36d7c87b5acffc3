// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/worker.h"

#include "operator/workers/testing_workers.h"

#include <gtest/gtest.h>

namespace slurmop::workers {
namespace {

using namespace testing;

Worker worker_with(const kube::ObservedPod* pod, const slurm::Node* node) {
  return {.ordinal = 0, .name = "worker-0", .pod = pod, .node = node};
}

TEST(Workers, JoinPodsAndNodesByName) {
  Scene scene(2);
  scene.worker(0).with(pending_pod(3)).with(slurm_node(5)).jobs({job_on(1, {0, 5})});
  scene.pods.push_back(running_pod(9));
  scene.pods.back().metadata.name = "login-0";
  scene.with_facts([](const WorkerFacts& facts) {
    const Workers all = workers_of(facts);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_TRUE(all.at(0).pod != nullptr && all.at(0).node != nullptr);
    EXPECT_TRUE(all.at(3).pod != nullptr && all.at(3).node == nullptr);
    EXPECT_TRUE(all.at(5).pod == nullptr && all.at(5).node != nullptr);
    EXPECT_EQ(all.at(0).jobs.size(), 1U);
    EXPECT_EQ(all.at(5).jobs.size(), 1U);
    EXPECT_EQ(all.at(5).name, "worker-5");
  });
}

TEST(PodState, FollowsFromPhaseAndSlurmd) {
  kube::ObservedPod no_status = running_pod(0);
  no_status.status.containerStatuses.clear();
  kube::ObservedPod lost = no_status;
  lost.status.phase = "Unknown";
  kube::ObservedPod succeeded = ended_pod(0);
  succeeded.status.phase = "Succeeded";
  kube::ObservedPod created = pending_pod(0);
  created.status.phase = "";
  const struct {
    const char* cause;
    kube::ObservedPod pod;
    PodState want;
  } kRows[] = {
      {"slurmd runs", running_pod(0), PodState::running},
      {"running, no container status", no_status, PodState::running},
      {"its node is lost", lost, PodState::running},
      {"slurmd crashes", crashing_pod(0), PodState::waiting},
      {"pending", pending_pod(0), PodState::waiting},
      {"not seen by a kubelet", created, PodState::waiting},
      {"failed", ended_pod(0), PodState::ended},
      {"succeeded", succeeded, PodState::ended},
      {"being deleted", leaving_pod(0), PodState::leaving},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(pod_state(worker_with(&row.pod, nullptr)), row.want) << row.cause;
  }
  EXPECT_EQ(pod_state(worker_with(nullptr, nullptr)), PodState::none);
}

TEST(IsRegistered, IfSlurmdStartedAfterItsContainerWithinTheClockTolerance) {
  const kube::ObservedPod pod = running_pod(0, kNow);
  const struct {
    std::int64_t slurmd_start_time;
    bool want;
  } kRows[] = {
      {0, false},
      {unix_time(kNow) - 3, false},
      {unix_time(kNow) - 2, true},
      {unix_time(kNow) + 60, true},  // slurmd starts itself again after a reconfigure
  };
  for (const auto& row : kRows) {
    slurm::Node node = slurm_node(0);
    node.slurmd_start_time = row.slurmd_start_time;
    EXPECT_EQ(is_registered(worker_with(&pod, &node)), row.want) << row.slurmd_start_time;
  }
  const slurm::Node node = slurm_node(0);
  const kube::ObservedPod crashing = crashing_pod(0);
  EXPECT_FALSE(is_registered(worker_with(&crashing, &node)));
  EXPECT_FALSE(is_registered(worker_with(&pod, nullptr)));
}

TEST(IsReady, IfTheNodeAcceptsOrRunsJobs) {
  const kube::ObservedPod pod = running_pod(0);
  const struct {
    std::vector<std::string> states;
    bool want;
  } kRows[] = {
      {{"IDLE"}, true},
      {{"MIXED"}, true},
      {{"ALLOCATED"}, true},
      {{"IDLE", "COMPLETING"}, true},
      {{"IDLE", "PLANNED"}, true},
      {{"IDLE", "DRAIN"}, false},
      {{"MIXED", "DRAIN"}, false},
      {{"IDLE", "DRAIN", "UNDRAIN"}, true},
      {{"DOWN"}, false},
      {{"IDLE", "NOT_RESPONDING"}, false},
      {{"UNKNOWN"}, false},
      {{"FUTURE"}, false},
  };
  for (const auto& row : kRows) {
    const slurm::Node node = slurm_node(0, row.states);
    EXPECT_EQ(is_ready(worker_with(&pod, &node)), row.want) << row.states.back();
  }
  const slurm::Node node = slurm_node(0);
  const kube::ObservedPod leaving = leaving_pod(0);
  EXPECT_FALSE(is_ready(worker_with(&leaving, &node)));
}

}  // namespace
}  // namespace slurmop::workers
