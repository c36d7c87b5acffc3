// SPDX-License-Identifier: Apache-2.0
#include "workload/job_of_pod.h"

#include "workload/pod_resources.h"
#include "workload/wellknown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workload {
namespace {

using ::testing::HasSubstr;

base::Quantity q(std::string_view text) {
  return base::Quantity::parse(text).value();
}

kube::Container container(const std::string& cpu,
                          const std::string& memory,
                          const std::string& restart = "") {
  kube::Container it;
  it.resources.requests = {{"cpu", q(cpu)}, {"memory", q(memory)}};
  it.restartPolicy = restart;
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

base::Result<slurm::JobRequest> annotated(const std::string& suffix, const std::string& value) {
  kube::Pod pod = sample();
  pod.metadata.annotations[kJobAnnotationPrefix + suffix] = value;
  return job(pod);
}

TEST(PodResources, AppContainersAddUp) {
  const auto requests = pod_requests(sample());
  EXPECT_EQ(requests->at("cpu"), q("2"));
  EXPECT_EQ(requests->at("memory"), q("1536Mi"));
}

TEST(PodResources, InitContainersCountTheirWorstMomentBesideTheSidecarsBeforeThem) {
  kube::Pod pod = sample();
  pod.spec.initContainers = {
      container("1", "1Gi"), container("1", "256Mi", "Always"), container("4", "1Gi")};
  const auto requests = pod_requests(pod);
  EXPECT_EQ(requests->at("cpu"), q("5"));          // the last init container beside the sidecar
  EXPECT_EQ(requests->at("memory"), q("1792Mi"));  // all app containers beside the sidecar
}

TEST(PodResources, PodLevelRequestsTakePrecedenceAndOverheadComesOnTop) {
  kube::Pod pod = sample();
  pod.spec.resources.emplace().requests = {{"cpu", q("8")}};
  pod.spec.overhead = {{"cpu", q("250m")}, {"memory", q("64Mi")}};
  const auto requests = pod_requests(pod);
  EXPECT_EQ(requests->at("cpu"), q("8250m"));
  EXPECT_EQ(requests->at("memory"), q("1600Mi"));
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

TEST(JobAnnotations, OverrideWhatThePodAsksFor) {
  EXPECT_EQ(annotated("partition", "gpu")->partition, "gpu");
  EXPECT_EQ(annotated("cpu-per-task", "2500m")->cpus_per_task, 3U);
  EXPECT_EQ(annotated("mem-per-node", "4Gi")->memory_per_node_mib, 4096U);
  EXPECT_EQ(annotated("timelimit", "120")->time_limit_minutes, 120U);
  EXPECT_EQ(annotated("priority", "7")->priority, 7U);
  EXPECT_EQ(annotated("job-name", "x")->name, "x");
  EXPECT_EQ(annotated("gres", "gres/gpu:a100:1")->tres_per_node, "gres/gpu:a100:1");
  EXPECT_EQ(annotated("user-id", "alice")->user_id, "alice");
  EXPECT_FALSE(annotated("exclusive", " False ")->exclusive);
  EXPECT_TRUE(annotated("exclusive", "no")->exclusive);
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
