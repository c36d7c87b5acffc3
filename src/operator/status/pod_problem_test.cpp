// SPDX-License-Identifier: Apache-2.0
#include "operator/status/pod_problem.h"

#include "base/rfc3339.h"

#include <gtest/gtest.h>

namespace slurmop::status {
namespace {

using namespace std::chrono_literals;

kube::ObservedPod pod() {
  kube::ObservedPod pod;
  pod.metadata.name = "controller-0";
  pod.metadata.namespace_ = "hpc";
  pod.status.phase = "Running";
  return pod;
}

kube::ContainerStatus waiting(std::string reason, std::string message = "") {
  kube::ContainerStatus status;
  status.name = "slurmctld";
  status.state.waiting = kube::ContainerStateWaiting{std::move(reason), std::move(message)};
  return status;
}

TEST(PodProblem, APodThatRunsOrStartsHasNone) {
  kube::ObservedPod observed = pod();
  EXPECT_EQ(problem_of(observed), std::nullopt);
  observed.status.containerStatuses = {waiting("ContainerCreating")};
  EXPECT_EQ(problem_of(observed), std::nullopt);
}

TEST(PodProblem, ACrashLoopNamesExitCodeAndCommand) {
  kube::ObservedPod observed = pod();
  observed.status.containerStatuses = {waiting("CrashLoopBackOff")};
  observed.status.containerStatuses[0].lastState.terminated =
      kube::ContainerStateTerminated{.exitCode = 1, .reason = {}, .message = {}, .finishedAt = {}};
  EXPECT_EQ(
      problem_of(observed),
      "pod controller-0: container slurmctld: CrashLoopBackOff (exit code 1); see kubectl logs "
      "--namespace hpc controller-0 --container slurmctld --previous");
}

TEST(PodProblem, AMissingImageAndAnUnschedulablePodShowTheMessage) {
  kube::ObservedPod observed = pod();
  observed.status.initContainerStatuses = {waiting("ImagePullBackOff", "no such image x:1")};
  EXPECT_EQ(problem_of(observed),
            "pod controller-0: container slurmctld: ImagePullBackOff: no such image x:1");
  observed.status.initContainerStatuses.clear();
  observed.status.conditions = {{"PodScheduled", "False", "Unschedulable", "0/4 nodes"}};
  EXPECT_EQ(problem_of(observed), "pod controller-0 cannot be scheduled: 0/4 nodes");
}

TEST(PodProblem, ALongMessageIsCut) {
  kube::ObservedPod observed = pod();
  observed.status.containerStatuses = {waiting("ErrImagePull", std::string(5000, 'x'))};
  EXPECT_LT(problem_of(observed)->size(), 400U);
}

TEST(PodProblem, ACrashLoopIsStuckAfterThePatience) {
  const base::WallTime ended = *base::parse_rfc3339("2026-11-18T10:00:00Z");
  kube::ObservedPod observed = pod();
  observed.status.containerStatuses = {waiting("CrashLoopBackOff")};
  EXPECT_FALSE(is_stuck_in_crash_loop(observed, ended + 1h)) << "the time of the end is not known";
  observed.status.containerStatuses[0].lastState.terminated = kube::ContainerStateTerminated{
      .exitCode = 1, .reason = {}, .message = {}, .finishedAt = "2026-11-18T10:00:00Z"};
  EXPECT_FALSE(is_stuck_in_crash_loop(observed, ended + 29s));
  EXPECT_TRUE(is_stuck_in_crash_loop(observed, ended + 30s));
  observed.status.containerStatuses[0].state = {};
  EXPECT_FALSE(is_stuck_in_crash_loop(observed, ended + 1h));
}

}  // namespace
}  // namespace slurmop::status
