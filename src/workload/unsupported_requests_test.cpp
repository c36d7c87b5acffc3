// SPDX-License-Identifier: Apache-2.0
#include "workload/unsupported_requests.h"

#include "json/node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workload {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// From the text that the API server sends, so that decoding is tested as well.
kube::Pod pod_of(const std::string& metadata, const std::string& spec) {
  json::Parser parser;
  const std::string text = R"({"metadata":{"name":"p","namespace":"a")" +
                           (metadata.empty() ? "" : "," + metadata) + R"(},"spec":{)" + spec + "}}";
  auto pod = kube::decode_object<kube::Pod>(*parser.parse(text));
  EXPECT_TRUE(pod.ok()) << pod.error().message();
  return *std::move(pod);
}

struct Row {
  const char* behaviour;
  std::string metadata;
  std::string spec;
  std::string field;  // empty: it is supported
  std::string remedy{};
};

const std::string kTerm = R"([{"topologyKey":"kubernetes.io/hostname"}])";
const std::string kPreferred =
    R"("preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"podAffinityTerm":{"topologyKey":"z"}}])";
const std::string kRequired = R"("requiredDuringSchedulingIgnoredDuringExecution":)" + kTerm;
const std::string kByAJob =
    R"("ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"j","uid":"u","controller":true}])";
const std::string kByASet =
    R"("ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"s","uid":"u","controller":true}])";

const Row kRows[] = {
    {"a plain pod", "", R"("containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}])", ""},
    {"devices of a class",
     "",
     R"("containers":[{"name":"c","resources":{"limits":{"deviceclass.resource.kubernetes.io/gpu.nvidia.com":"1"}}}])",
     "spec.containers[0].resources.limits",
     "nvidia.com/gpu"},
    {"CPUs of a driver in an init container",
     "",
     R"("initContainers":[{"name":"i","resources":{"requests":{"deviceclass.resource.kubernetes.io/dra.cpu":"1"}}}])",
     "spec.initContainers[0].resources.requests",
     "device plugin"},
    {"a device plugin's GPUs",
     "",
     R"("containers":[{"name":"c","resources":{"limits":{"nvidia.com/gpu":"1"}}}])",
     ""},
    {"required pod anti-affinity",
     "",
     R"("affinity":{"podAntiAffinity":{)" + kRequired + "}}",
     "spec.affinity.podAntiAffinity",
     "slurmjob.slinky.slurm.net/exclusive"},
    {"required pod affinity",
     "",
     R"("affinity":{"podAffinity":{)" + kRequired + "}}",
     "spec.affinity.podAffinity",
     "spec.nodeSelector"},
    {"preferred pod affinity is a wish",
     "",
     R"("affinity":{"podAffinity":{)" + kPreferred + R"(},"podAntiAffinity":{)" + kPreferred + "}}",
     ""},
    {"empty required pod affinity",
     "",
     R"("affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[]}})",
     ""},
    {"a coscheduling PodGroup",
     R"("labels":{"scheduling.x-k8s.io/pod-group":"gang"})",
     "",
     "label scheduling.x-k8s.io/pod-group",
     "Remove the label"},
    {"a LeaderWorkerSet",
     R"("labels":{"leaderworkerset.sigs.k8s.io/name":"llm"},"annotations":{"leaderworkerset.sigs.k8s.io/size":"4"})",
     "",
     "label leaderworkerset.sigs.k8s.io/name",
     "size of 1"},
    {"a LeaderWorkerSet with one pod per group",
     R"("labels":{"leaderworkerset.sigs.k8s.io/name":"llm"},"annotations":{"leaderworkerset.sigs.k8s.io/size":"1"})",
     "",
     ""},
    {"a PodGroup of Kubernetes",
     kByASet,
     R"("schedulingGroup":{"podGroupName":"gang"})",
     "spec.schedulingGroup",
     "without it"},
    {"a PodGroup of Kubernetes for a Job's pod, which Kubernetes may have made by itself",
     kByAJob,
     R"("schedulingGroup":{"podGroupName":"gang"})",
     ""},
};

TEST(UnsupportedRequests, AreNamedWithTheFieldAndTheRemedy) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.behaviour);
    const auto problem = unsupported_request(pod_of(row.metadata, row.spec));
    EXPECT_EQ(problem.has_value(), !row.field.empty()) << problem.value_or("");
    if (problem) EXPECT_THAT(*problem, AllOf(HasSubstr(row.field), HasSubstr(row.remedy)));
  }
}

}  // namespace
}  // namespace workload
