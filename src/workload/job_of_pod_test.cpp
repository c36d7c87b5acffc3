// SPDX-License-Identifier: Apache-2.0
#include "workload/job_of_pod.h"

#include "workload/gres.h"
#include "workload/pod_problems.h"
#include "workload/wellknown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace workload {
namespace {

using ::testing::HasSubstr;

base::Quantity q(std::string_view text) {
  return base::Quantity::parse(text).value();
}

kube::Container container(const std::string& cpu, const std::string& memory) {
  kube::Container it;
  it.resources.requests = {{"cpu", q(cpu)}, {"memory", q(memory)}};
  return it;
}

kube::Pod sample() {
  kube::Pod pod;
  pod.metadata.name = "train-0";
  pod.metadata.namespace_ = "a";
  pod.metadata.uid = kube::Uid("u-1");
  pod.spec.containers = {container("1500m", "1Gi"), container("500m", "512Mi")};
  return pod;
}

base::Result<slurm::JobRequest> job(const kube::Pod& pod) {
  return job_of_pod(pod, {"c-1", "s"}, {"slurm-bridge", "kubernetes"});
}

base::Result<slurm::JobRequest> owned(const kube::Pod& pod, const Ownership& owners) {
  return job_of_pod(pod, owners, {"c-1", "s"}, {"slurm-bridge", "kubernetes"});
}

base::Result<slurm::JobRequest> annotated(const std::string& suffix, const std::string& value) {
  kube::Pod pod = sample();
  pod.metadata.annotations[kJobAnnotationPrefix + suffix] = value;
  return job(pod);
}

TEST(JobOfPod, AsksForWhatThePodNeeds) {
  kube::Pod pod = sample();
  pod.spec.containers[0].resources.limits = {{"nvidia.com/gpu", q("2")}};
  pod.spec.activeDeadlineSeconds = 61;
  const auto request = job(pod);
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->name, "train-0");
  EXPECT_EQ(request->partition, "slurm-bridge");
  EXPECT_EQ(request->mcs_label, "kubernetes");
  EXPECT_EQ(request->cpus_per_task, 2U);
  EXPECT_EQ(request->memory_per_node_mib, 1536U);
  EXPECT_EQ(request->tres_per_node, "gres/gpu=2");
  EXPECT_EQ(request->time_limit_minutes, 2U);
  EXPECT_TRUE(request->exclusive);
  EXPECT_EQ(read_identity(request->admin_comment)->members.front().uid, kube::Uid("u-1"));
}

TEST(JobOfPod, WithoutRequestsTheChoiceIsSlurms) {
  kube::Pod pod = sample();
  pod.spec.containers = {kube::Container()};
  const auto request = job(pod);
  EXPECT_EQ(request->cpus_per_task, std::nullopt);
  EXPECT_EQ(request->memory_per_node_mib, std::nullopt);
  EXPECT_EQ(request->time_limit_minutes, std::nullopt);
}

TEST(JobOfPod, CpusAreRoundedUpPerPodAndNotPerContainer) {
  kube::Pod pod = sample();
  pod.spec.containers = {container("500m", "1Gi"), container("500m", "1Gi"), container("1m", "0")};
  EXPECT_EQ(job(pod)->cpus_per_task, 2U);
}

TEST(JobOfPod, TakesTheLimitWhereItIsMoreThanTheRequest) {
  kube::Pod pod = sample();
  pod.spec.containers[0].resources.limits = {{"cpu", q("4")}, {"memory", q("8Gi")}};
  EXPECT_EQ(job(pod)->cpus_per_task, 4U);
  EXPECT_EQ(job(pod)->memory_per_node_mib, 8192U);
}

TEST(JobOfPod, MemoryIsInWholeMebibytesAndNothingOfItIsLeftToSlurm) {
  kube::Pod pod = sample();
  pod.spec.containers = {container("1", "2097151")};
  EXPECT_EQ(job(pod)->memory_per_node_mib, 1U);
  pod.spec.containers = {container("1", "1M")};
  EXPECT_EQ(job(pod)->memory_per_node_mib, std::nullopt);
}

TEST(JobOfPod, CpusThatADriverHandsOutAreCpus) {
  kube::Pod pod = sample();
  pod.spec.containers = {kube::Container()};
  pod.spec.containers[0].resources.limits = {{kCpuDevices, q("6")}};
  EXPECT_EQ(job(pod)->cpus_per_task, 6U);
  EXPECT_EQ(job(pod)->tres_per_node, "");
}

TEST(JobOfPod, ADeadlineIsTheTimeLimitInMinutesRoundedUp) {
  struct Row {
    std::optional<std::int64_t> pod;
    std::optional<std::int64_t> job;
    std::optional<std::uint32_t> minutes;
  };
  const Row kRows[] = {
      {std::nullopt, std::nullopt, std::nullopt},
      {60, std::nullopt, 1U},
      {61, std::nullopt, 2U},
      {std::nullopt, 3600, 60U},
      {std::nullopt, 1, 1U},
      {600, 3600, 10U},  // the shorter one applies
      {3600, 600, 10U},
      {std::nullopt, 0, std::nullopt},
      {600, -1, 10U},
      {std::nullopt, std::numeric_limits<std::int64_t>::max(), 2147483647U},
  };
  for (const Row& row : kRows) {
    kube::Pod pod = sample();
    pod.spec.activeDeadlineSeconds = row.pod;
    Ownership owners;
    owners.activeDeadlineSeconds = row.job;
    EXPECT_EQ(owned(pod, owners)->time_limit_minutes, row.minutes);
    pod.metadata.annotations[kJobAnnotationPrefix + "timelimit"] = "7";
    EXPECT_EQ(owned(pod, owners)->time_limit_minutes, 7U);
  }
}

TEST(JobOfPod, AGresAnnotationReplacesWhatTheLimitsSay) {
  kube::Pod pod = sample();
  pod.spec.containers[0].resources.limits = {{"nvidia.com/gpu", q("1")}};
  pod.metadata.annotations[kJobAnnotationPrefix + "gres"] = "gres/gpu:a100=2";
  EXPECT_EQ(job(pod)->tres_per_node, "gres/gpu:a100=2");
}

// Rule 4.4(7) of the reference. Admission sees only the pod's annotations.
TEST(JobOfPod, WhatAnOwnerAsksForTwiceIsRefused) {
  struct Row {
    std::string device;
    std::string annotation;
    bool refused;
  };
  const std::string gpu = kDeviceClassPrefix + "gpu.nvidia.com";
  const Row kRows[] = {
      {gpu, "gres", true},
      {kCpuDevices, "cpu-per-task", true},
      {gpu, "cpu-per-task", false},
      {kCpuDevices, "gres", false},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.device + " and " + row.annotation);
    kube::Pod pod = sample();
    pod.spec.containers = {kube::Container()};
    pod.spec.containers[0].resources.limits = {{row.device, q("1")}};
    EXPECT_TRUE(job(pod).ok());
    Ownership owners;
    owners.annotations = {{kJobAnnotationPrefix + row.annotation, "4"}};
    const auto request = owned(pod, owners);
    EXPECT_EQ(request.ok(), !row.refused);
    if (row.refused)
      EXPECT_THAT(request.error().message(), HasSubstr(kJobAnnotationPrefix + row.annotation));
  }
}

TEST(JobOfPod, AMinimumOfNodesAboveTheMaximumIsRefusedForPodAndOwner) {
  EXPECT_EQ(
      annotated("min-nodes", "2").error().message(),
      "annotation slurmjob.slinky.slurm.net/min-nodes: \"2\" is more than 1, the "
      "maximum without slurmjob.slinky.slurm.net/max-nodes; set that annotation too, or neither");
  EXPECT_TRUE(annotated("min-nodes", "1").ok());
  kube::Pod pod = sample();
  pod.metadata.annotations[kJobAnnotationPrefix + "min-nodes"] = "2";
  Ownership owners;
  owners.annotations = {{kJobAnnotationPrefix + "max-nodes", "3"}};
  EXPECT_EQ(owned(pod, owners)->minimum_nodes, 2U);
  EXPECT_EQ(owned(pod, owners)->maximum_nodes, 3U);
  owners.annotations = {{kJobAnnotationPrefix + "max-nodes", "1"}};
  EXPECT_FALSE(owned(pod, owners).ok());
}

TEST(JobOfPod, DeviceClaimsAreRefusedWithTheMessageOfAdmission) {
  kube::Pod pod = sample();
  pod.spec.resourceClaims.resize(1);
  ASSERT_FALSE(job(pod).ok());
  EXPECT_EQ(job(pod).error().message(), resource_claims_problem(pod));
  EXPECT_THAT(job(pod).error().message(), HasSubstr(kJobAnnotationPrefix + "gres"));
}

TEST(JobOfPod, OwnersOverrideThePod) {
  kube::Pod pod = sample();
  pod.metadata.annotations = {{kJobAnnotationPrefix + "partition", "of-the-pod"},
                              {kJobAnnotationPrefix + "qos", "of-the-pod"}};
  Ownership owners;
  owners.annotations = {{kJobAnnotationPrefix + "partition", "of-the-job"}};
  EXPECT_EQ(owned(pod, owners)->partition, "of-the-job");
  EXPECT_EQ(owned(pod, owners)->qos, "of-the-pod");
}

TEST(JobOfPod, AMistakeOfAnOwnerIsNamedAsOneOfThePod) {
  Ownership owners;
  owners.annotations = {{kJobAnnotationPrefix + "timelimit", "2h"}};
  EXPECT_THAT(owned(sample(), owners).error().message(), HasSubstr("\"2h\""));
}

// All annotations of section 3.5 of the reference.
TEST(JobAnnotations, OverrideWhatThePodAsksFor) {
  EXPECT_EQ(annotated("account", "physics")->account, "physics");
  EXPECT_EQ(annotated("constraints", "avx512&ib")->constraints, "avx512&ib");
  EXPECT_EQ(annotated("cpu-per-task", "2500m")->cpus_per_task, 3U);
  EXPECT_FALSE(annotated("exclusive", " False ")->exclusive);
  EXPECT_TRUE(annotated("exclusive", " True ")->exclusive);
  EXPECT_FALSE(annotated("exclusive", "maybe").ok());
  EXPECT_EQ(annotated("gres", "gres/gpu:a100:1")->tres_per_node, "gres/gpu:a100:1");
  EXPECT_EQ(annotated("group-id", "physicists")->group_id, "physicists");
  EXPECT_EQ(annotated("job-name", "x")->name, "x");
  EXPECT_EQ(annotated("licenses", "matlab:1")->licenses, "matlab:1");
  EXPECT_EQ(annotated("max-nodes", "2")->maximum_nodes, 2U);
  EXPECT_EQ(annotated("mem-per-node", "4Gi")->memory_per_node_mib, 4096U);
  EXPECT_EQ(annotated("partition", "gpu")->partition, "gpu");
  EXPECT_EQ(annotated("priority", "7")->priority, 7U);
  EXPECT_EQ(annotated("qos", "high")->qos, "high");
  EXPECT_EQ(annotated("reservation", "course")->reservation, "course");
  EXPECT_EQ(annotated("timelimit", "120")->time_limit_minutes, 120U);
  EXPECT_EQ(annotated("user-id", "alice")->user_id, "alice");
  EXPECT_EQ(annotated("wckey", "project-7")->wckey, "project-7");

  kube::Pod pod = sample();
  pod.metadata.annotations = {{kJobAnnotationPrefix + "min-nodes", "2"},
                              {kJobAnnotationPrefix + "max-nodes", "3"}};
  EXPECT_EQ(job(pod)->minimum_nodes, 2U);
  EXPECT_EQ(job(pod)->maximum_nodes, 3U);
}

TEST(JobAnnotations, AMistakeIsNamedWithItsFix) {
  EXPECT_EQ(annotated("timelimit", "2h").error().message(),
            "annotation slurmjob.slinky.slurm.net/timelimit: \"2h\" is not a number of minutes; "
            "write \"120\"");
  EXPECT_THAT(annotated("mem-per-node", "lots").error().message(), HasSubstr("4Gi"));
  EXPECT_THAT(annotated("cpu-per-task", "0").error().message(), HasSubstr("between 1 and 65535"));
  EXPECT_FALSE(annotated("max-nodes", "-1").ok());
  EXPECT_FALSE(annotated("priority", "").ok());
  EXPECT_FALSE(annotated("account", "a\nb").ok());
}

}  // namespace
}  // namespace workload
