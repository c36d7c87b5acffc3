// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge sent one GRES type per job, rounded CPUs up, and set no tasks for the
// pods of a Job.
#include "base/quantity.h"
#include "workload/job_of_pod.h"

#include <gtest/gtest.h>

namespace workload {
namespace {

base::Quantity q(std::string_view text) {
  return base::Quantity::parse(text).value();
}

slurm::JobRequest request_of(const kube::Pod& pod, const Ownership& owners = {}) {
  return job_of_pod(pod, owners, {"c-1", "s"}, {}).value();
}

TEST(RequestedResources, CpusAreRoundedOncePerPod) {
  kube::Pod pod;
  pod.spec.containers.resize(4);
  for (kube::Container& one : pod.spec.containers) one.resources.requests = {{"cpu", q("500m")}};
  EXPECT_EQ(request_of(pod).cpus_per_task, 2U);
}

TEST(RequestedResources, APodOfAJobIsOneTaskOnOneNode) {
  Ownership job;
  job.kind = RootKind::job;
  for (const Ownership& owners : {Ownership(), job}) {
    const slurm::JobRequest request = request_of(kube::Pod(), owners);
    EXPECT_EQ(request.nodes, 1U);
    EXPECT_EQ(request.tasks_per_node, 1U);
  }
}

TEST(RequestedResources, EveryGresTypeOfAPodIsRequested) {
  kube::Pod pod;
  pod.spec.containers.resize(1);
  pod.spec.containers[0].resources.limits = {
      {"deviceclass.resource.kubernetes.io/gpu.nvidia.com", q("2")},
      {"deviceclass.resource.kubernetes.io/gpu.example.com", q("1")}};
  const std::string asked = request_of(pod).tres_per_node;
  EXPECT_TRUE(asked.contains("gpu.nvidia.com=2")) << asked;
  EXPECT_TRUE(asked.contains("gpu.example.com=1")) << asked;
}

}  // namespace
}  // namespace workload
