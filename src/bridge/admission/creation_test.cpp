// SPDX-License-Identifier: Apache-2.0
#include "bridge/testing/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::pod_text;
using testing::Reply;
using testing::TestAdmission;

std::string app(const std::string& resources) {
  return R"("containers":[{"name":"c","resources":)" + resources + "}]";
}
std::string init(const std::string& resources) {
  return R"("initContainers":[{"name":"i","resources":)" + resources + "}]";
}
std::string annotation(const std::string& suffix, const std::string& value) {
  return R"("annotations":{"slurmjob.slinky.slurm.net/)" + suffix + R"(":")" + value + R"("})";
}

const std::string kByAJob =
    R"("ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","controller":true}])";
const std::string kCpu = R"({"requests":{"cpu":"1"}})";
const std::string kCpuLimit = R"({"limits":{"cpu":"1"}})";
const std::string kCpuDevice = R"({"requests":{"deviceclass.resource.kubernetes.io/dra.cpu":"1"}})";
const std::string kCpuDeviceLimit =
    R"({"limits":{"deviceclass.resource.kubernetes.io/dra.cpu":"1"}})";
const std::string kGpuDevice =
    R"({"limits":{"deviceclass.resource.kubernetes.io/gpu.nvidia.com":"1"}})";
const std::string kStrange = R"({"requests":{"deviceclass.resource.kubernetes.io/fpga":"1"}})";
const std::string kStrangeLimit = R"({"limits":{"deviceclass.resource.kubernetes.io/fpga":"1"}})";

struct Row {
  const char* behaviour;
  std::string metadata;
  std::string spec;
  int code;             // 0: allowed
  std::string message;  // of the refusal
};

const Row kRows[] = {
    {"a plain pod", "", app(kCpu), 0, ""},
    {"job-id label",
     R"("labels":{"scheduler.slinky.slurm.net/slurm-jobid":"7"})",
     "",
     403,
     "label scheduler.slinky.slurm.net/slurm-jobid"},
    {"an empty job-id label is none",
     R"("labels":{"scheduler.slinky.slurm.net/slurm-jobid":""})",
     "",
     0,
     ""},
    {"node annotation",
     R"("annotations":{"slinky.slurm.net/slurm-node":"n1"})",
     "",
     403,
     "annotation slinky.slurm.net/slurm-node"},
    {"resource claims",
     "",
     R"("resourceClaims":[{"name":"c","resourceClaimName":"x"}])",
     422,
     "spec.resourceClaims"},
    {"the remedy for resource claims",
     "",
     R"("resourceClaims":[{"name":"c"}])",
     422,
     "slurmjob.slinky.slurm.net/gres"},
    {"topology spread",
     "",
     R"("topologySpreadConstraints":[{"maxSkew":1}])",
     422,
     "spec.topologySpreadConstraints"},
    {"an empty topology spread", "", R"("topologySpreadConstraints":[])", 0, ""},
    {"native and device CPUs in one container",
     "",
     app(R"({"requests":{"cpu":"1"},"limits":{"deviceclass.resource.kubernetes.io/dra.cpu":"1"}})"),
     422,
     "keep one of the two"},
    {"native CPUs in an init container, device CPUs in an app container",
     "",
     app(kCpuDevice) + "," + init(kCpu),
     422,
     R"(init container "i" requests cpu)"},
    {"device CPUs in an init container, native ones in an app container",
     "",
     app(kCpuLimit) + "," + init(kCpuDevice),
     422,
     "spec.initContainers[0].resources.requests"},
    {"native CPUs for the pod as a whole, device CPUs in a container",
     "",
     R"("resources":{"requests":{"cpu":"2"}},)" + app(kCpuDevice),
     422,
     "the pod as a whole"},
    {"device CPUs alone", "", app(kCpuDevice), 422, "through DRA"},
    {"unsupported class, requested",
     "",
     app(kStrange),
     422,
     R"(container "c" requests device class "fpga")"},
    {"unsupported class, in an init container's limits",
     "",
     init(kStrangeLimit),
     422,
     "spec.initContainers[0].resources.limits"},
    {"a class that Slurm knows but that is not allocated to the pod",
     "",
     app(kGpuDevice),
     422,
     "through DRA"},
    {"a device plugin's GPU", "", app(R"({"limits":{"nvidia.com/gpu":"1"}})"), 0, ""},
    {"required pod anti-affinity",
     "",
     R"("affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{}]}})",
     422,
     "spec.affinity.podAntiAffinity"},
    {"required pod affinity, with any controller",
     kByAJob,
     R"("affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{}]}})",
     422,
     "spec.affinity.podAffinity"},
    {"a coscheduling PodGroup",
     R"("labels":{"scheduling.x-k8s.io/pod-group":"gang"})",
     "",
     422,
     "label scheduling.x-k8s.io/pod-group"},
    {"a LeaderWorkerSet",
     R"("labels":{"leaderworkerset.sigs.k8s.io/name":"llm"})",
     "",
     422,
     "label leaderworkerset.sigs.k8s.io/name"},
    {"the PodGroup that Kubernetes makes for an Indexed Job",
     kByAJob,
     R"("schedulingGroup":{"podGroupName":"j-0"})",
     0,
     ""},
    {"an exclusive that is neither true nor false",
     annotation("exclusive", "maybe"),
     "",
     422,
     R"("maybe" is neither "true" nor "false")"},
    {"cpu-per-task without CPU devices", annotation("cpu-per-task", "2"), app(kCpu), 0, ""},
    {"cpu-per-task with CPU devices",
     annotation("cpu-per-task", "2"),
     app(kCpuDevice),
     422,
     "annotation slurmjob.slinky.slurm.net/cpu-per-task"},
    {"cpu-per-task with CPU devices in an init container's limits",
     annotation("cpu-per-task", "2"),
     init(kCpuDeviceLimit),
     422,
     "annotation slurmjob.slinky.slurm.net/cpu-per-task"},
    {"gres without GPU devices", annotation("gres", "gres/gpu:1"), app(kCpu), 0, ""},
    {"gres with GPU devices",
     annotation("gres", "gres/gpu:1"),
     app(kGpuDevice),
     422,
     "annotation slurmjob.slinky.slurm.net/gres"},
    {"cpu-per-task with GPU devices, which are no conflict but not supported",
     annotation("cpu-per-task", "2"),
     app(kGpuDevice),
     422,
     "through DRA"},
    {"gres with CPU devices, which are no conflict but not supported",
     annotation("gres", "gres/gpu:1"),
     app(kCpuDevice),
     422,
     "through DRA"},
    {"a value that makes no sense",
     annotation("timelimit", "2h"),
     app(kCpu),
     422,
     R"("2h" is not a number of minutes; write "120")"},
    {"what no job can be made of",
     "",
     app(R"({"limits":{"nvidia.com/gpu":"1","deviceclass.resource.kubernetes.io/gpu.nvidia.com":"1"}})"),
     422,
     "which Slurm cannot count together"},
    {"devices of a class, whatever its controller says",
     kByAJob,
     app(R"({"limits":{"nvidia.com/gpu":"1","deviceclass.resource.kubernetes.io/gpu.nvidia.com":"1"}})"),
     422,
     "through DRA"},
    {"more nodes at least than at most by default",
     annotation("min-nodes", "2"),
     app(kCpu),
     422,
     "set that annotation too"},
    {"more nodes at least than at most, unless its controller says more",
     kByAJob + "," + annotation("min-nodes", "2"),
     app(kCpu),
     0,
     ""},
    {"a pod that cannot be read",
     "",
     app(R"({"requests":{"cpu":"many"}})"),
     422,
     "$.spec.containers[0].resources.requests"},
};

Reply created(TestAdmission& test,
              const Row& row,
              const std::string& ns,
              const std::string& scheduler) {
  const std::string spec = R"("schedulerName":")" + scheduler + '"' + (row.spec.empty() ? "" : ",");
  return test.validate({pod_text(row.metadata, spec + row.spec), "", ns});
}

TEST(AdmissionOfNewPods, WhatSlurmCannotDoIsRefusedInAManagedNamespace) {
  TestAdmission test;
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.behaviour);
    const Reply reply = created(test, row, "managed", testing::kOurs);
    EXPECT_EQ(reply.code, row.code) << reply.message;
    EXPECT_THAT(reply.message, HasSubstr(row.message));
  }
}

TEST(AdmissionOfNewPods, AndWhereAPodNamesOurSchedulerInAnUnmanagedNamespace) {
  TestAdmission test;
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.behaviour);
    EXPECT_EQ(created(test, row, "other", testing::kOurs).code, row.code);
  }
}

TEST(AdmissionOfNewPods, AnotherSchedulersPodInAnUnmanagedNamespaceIsNotOurBusiness) {
  TestAdmission test;
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.behaviour);
    const Reply reply = created(test, row, "other", "volcano");
    EXPECT_TRUE(reply.allowed);
    EXPECT_THAT(reply.warnings, IsEmpty());
  }
}

TEST(AdmissionOfNewPods, AnotherSchedulersPodInAManagedNamespaceMayUseTheAnnotationsAsItLikes) {
  TestAdmission test;
  const Row row{"", annotation("timelimit", "2h"), "", 0, ""};
  EXPECT_TRUE(created(test, row, "managed", "volcano").allowed);
  const Row claims{"", "", R"("resourceClaims":[{"name":"c"}])", 0, ""};
  EXPECT_FALSE(created(test, claims, "managed", "volcano").allowed);
}

TEST(AdmissionOfNewPods, AnotherSchedulerInAManagedNamespaceMayDoWhatTheBridgeCannot) {
  TestAdmission test;
  const Row group{
      "", R"("labels":{"scheduling.x-k8s.io/pod-group":"gang"})", app(kGpuDevice), 0, ""};
  EXPECT_TRUE(created(test, group, "managed", "volcano").allowed);
}

TEST(AdmissionOfNewPods, MirrorsOfStaticPodsAreLeftAlone) {
  TestAdmission test;
  const std::string spec = R"("resourceClaims":[{"name":"c"}])";
  EXPECT_TRUE(
      test.validate({pod_text(R"("annotations":{"kubernetes.io/config.mirror":"x"})", spec)})
          .allowed);
}

TEST(AdmissionOfNewPods, TheFirstRuleWins) {
  TestAdmission test;
  const Row row{"",
                R"("labels":{"scheduler.slinky.slurm.net/slurm-jobid":"7"})",
                R"("resourceClaims":[{"name":"c"}],"topologySpreadConstraints":[{}])",
                0,
                ""};
  EXPECT_THAT(created(test, row, "managed", testing::kOurs).message, HasSubstr("slurm-jobid"));
}

struct Advised {
  const char* behaviour;
  std::string metadata;
  std::string spec;
  std::vector<std::string> message;  // of each warning, in order
};

const std::string kMemory = R"({"requests":{"memory":"1Gi"}})";
const std::string kNoMemory = "no memory is requested";
const std::string kNoEnd = "no time limit";

const Advised kAdvised[] = {
    {"neither memory nor time", "", app(kCpu), {kNoMemory, kNoEnd}},
    {"both", annotation("timelimit", "5"), app(kMemory), {}},
    {"memory by annotation, time by the deadline",
     annotation("mem-per-node", "1Gi"),
     app(kCpu) + R"(,"activeDeadlineSeconds":60)",
     {}},
    {"memory by a limit", annotation("timelimit", "5"), app(R"({"limits":{"memory":"1Gi"}})"), {}},
    {"memory for the pod as a whole",
     annotation("timelimit", "5"),
     R"("resources":{"requests":{"memory":"1Gi"}},)" + app(kCpu),
     {}},
    {"less memory than Slurm counts",
     annotation("timelimit", "5"),
     app(R"({"requests":{"memory":"1k"}})"),
     {kNoMemory}},
    {"what a controller's pod lacks may stand on the controller", kByAJob, app(kCpu), {}},
    {"a typing mistake in a name, also to a controller",
     kByAJob + "," + annotation("time-limit", "5"),
     app(kCpu),
     {"did you mean"}},
    {"a name of old releases",
     R"("annotations":{"slinky.slurm.net/timelimit":"5","slurmjob.slinky.slurm.net/timelimit":"5"})",
     app(kMemory),
     {"its new name is slurmjob.slinky.slurm.net/timelimit"}},
};

TEST(AdmissionOfNewPods, WhatIsLegalButCostlyIsAWarning) {
  TestAdmission test;
  for (const Advised& row : kAdvised) {
    SCOPED_TRACE(row.behaviour);
    const Reply reply =
        created(test, {"", row.metadata, row.spec, 0, ""}, "managed", testing::kOurs);
    EXPECT_TRUE(reply.allowed) << reply.message;
    ASSERT_EQ(reply.warnings.size(), row.message.size());
    for (std::size_t i = 0; i < row.message.size(); ++i)
      EXPECT_THAT(reply.warnings[i], HasSubstr(row.message[i]));
  }
}

TEST(AdmissionOfNewPods, WarningsAreForOurPodsOnlyAndOnlyWhenTheyAreCreated) {
  TestAdmission test;
  const Row plain{"", "", app(kCpu), 0, ""};
  EXPECT_THAT(created(test, plain, "managed", "volcano").warnings, IsEmpty());
  const std::string pod = pod_text("", R"("schedulerName":"slurm-bridge-scheduler",)" + app(kCpu));
  EXPECT_THAT(test.validate({pod, pod}).warnings, IsEmpty());
}

TEST(AdmissionOfNewPods, WarningsDoNotGrowWithoutEnd) {
  TestAdmission test;
  std::string names;
  for (int i = 0; i < 100; ++i)
    names += fmt::format(R"({}"slurmjob.slinky.slurm.net/n{}":"")", i == 0 ? "" : ",", i);
  const Row row{"", R"("annotations":{)" + names + "}", app(kCpu), 0, ""};
  const Reply reply = created(test, row, "managed", testing::kOurs);
  EXPECT_EQ(reply.warnings.size(), 17U);
  EXPECT_THAT(reply.warnings, Contains("and 86 more warnings"));
}

}  // namespace
}  // namespace bridge
