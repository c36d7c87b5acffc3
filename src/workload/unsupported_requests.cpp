// SPDX-License-Identifier: Apache-2.0
#include "workload/unsupported_requests.h"

#include "base/quote.h"
#include "workload/asked_resources.h"
#include "workload/ownership.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace workload {
namespace {

using Problem = std::optional<std::string>;

const std::string kCoschedulingLabel = "scheduling.x-k8s.io/pod-group";
const std::string kLeaderWorkerSetName = "leaderworkerset.sigs.k8s.io/name";
const std::string kLeaderWorkerSetSize = "leaderworkerset.sigs.k8s.io/size";  // pods per group

constexpr std::string_view kNotTogether =
    "the bridge does not schedule groups of pods together yet, and would start each pod alone";

Problem devices(const kube::Pod& pod) {
  const auto all = asked_resources(pod);
  const auto found = std::ranges::find_if(
      all, [](const AskedResource& asked) { return device_class(asked.resource).has_value(); });
  if (found == all.end()) return std::nullopt;
  return fmt::format(
      "{}: {} requests devices of class {}, and the bridge does not allocate devices through DRA "
      "yet: the container would start without them. Request the resource of a device plugin "
      "instead, such as nvidia.com/gpu",
      found->field,
      found->container,
      base::quoted(*device_class(found->resource)));
}

bool requires_something(const std::optional<kube::PodAffinity>& affinity) {
  return affinity && !affinity->requiredDuringSchedulingIgnoredDuringExecution.empty();
}

Problem pod_affinity(const kube::Pod& pod) {
  if (!pod.spec.affinity) return std::nullopt;
  if (requires_something(pod.spec.affinity->podAntiAffinity)) {
    return fmt::format(
        "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution: Slurm "
        "chooses the node and does not know which pods run there. Remove it: a pod has its node "
        "alone unless annotation {}exclusive is \"false\"",
        kJobAnnotationPrefix);
  }
  if (requires_something(pod.spec.affinity->podAffinity)) {
    return fmt::format(
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution: Slurm chooses "
        "the node and does not know which pods run there. Remove it, or name the nodes with "
        "spec.nodeSelector, spec.affinity.nodeAffinity or annotation {}constraints",
        kJobAnnotationPrefix);
  }
  return std::nullopt;
}

Problem coscheduling_group(const kube::Pod& pod) {
  const std::string& group = pod.metadata.label(kCoschedulingLabel);
  if (group.empty()) return std::nullopt;
  return fmt::format(
      "label {}: the pod belongs to PodGroup {}; {}. Remove the label if the pods do "
      "not need each other",
      kCoschedulingLabel,
      base::quoted(group),
      kNotTogether);
}

Problem leader_worker_set(const kube::Pod& pod) {
  const std::string& set = pod.metadata.label(kLeaderWorkerSetName);
  if (set.empty() || pod.metadata.annotation(kLeaderWorkerSetSize) == "1") return std::nullopt;
  return fmt::format(
      "label {}: the pod belongs to LeaderWorkerSet {}; {}. Use a group size of 1, or "
      "another scheduler for this set",
      kLeaderWorkerSetName,
      base::quoted(set),
      kNotTogether);
}

Problem core_group(const kube::Pod& pod) {
  if (!pod.spec.schedulingGroup || pod.spec.schedulingGroup->podGroupName.empty())
    return std::nullopt;
  const kube::OwnerReference* controller = controller_of(pod.metadata);
  if (controller != nullptr && controller->kind == "Job" && controller->apiVersion == "batch/v1")
    return std::nullopt;
  return fmt::format(
      "spec.schedulingGroup: the pod belongs to PodGroup {}; {}. Create the pod "
      "without it if the pods do not need each other",
      base::quoted(pod.spec.schedulingGroup->podGroupName),
      kNotTogether);
}

}  // namespace

std::optional<std::string> unsupported_request(const kube::Pod& pod) {
  for (const auto rule :
       {devices, pod_affinity, coscheduling_group, leader_worker_set, core_group}) {
    if (Problem problem = rule(pod)) return problem;
  }
  return std::nullopt;
}

}  // namespace workload
