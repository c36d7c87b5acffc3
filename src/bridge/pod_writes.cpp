// SPDX-License-Identifier: Apache-2.0
#include "bridge/pod_writes.h"

#include "bridge/toleration.h"
#include "json/patch.h"
#include "workload/wellknown.h"

#include <algorithm>

namespace bridge {
namespace {

constexpr std::string_view kScheduled = "PodScheduled";

// All tolerations including ours; empty if ours is there already.
json::Array tolerations_with_ours(const kube::Pod& pod, const std::string& scheduler_name) {
  const kube::Toleration ours = our_toleration(scheduler_name);
  json::Array all;
  if (has(pod.spec.tolerations, ours)) return all;
  for (const kube::Toleration& toleration : pod.spec.tolerations)
    all.emplace_back(toleration_json(toleration));
  all.emplace_back(toleration_json(ours));
  return all;
}

}  // namespace

json::Object label_patch(const kube::Pod& pod,
                         slurm::JobId job,
                         const std::string& scheduler_name) {
  json::Array finalizers;
  for (const std::string& finalizer : pod.metadata.finalizers) finalizers.emplace_back(finalizer);
  if (!pod.metadata.has_finalizer(workload::kFinalizer))
    finalizers.emplace_back(workload::kFinalizer);

  json::Object patch{
      {"metadata",
       json::Object{{"uid", pod.metadata.uid.value()},
                    {"resourceVersion", pod.metadata.resourceVersion},
                    {"labels", json::Object{{workload::kJobIdLabel, std::to_string(job.value())}}},
                    {"finalizers", std::move(finalizers)}}}};
  if (json::Array tolerations = tolerations_with_ours(pod, scheduler_name); !tolerations.empty()) {
    patch.set("spec", json::Object{{"tolerations", std::move(tolerations)}});
  }
  return patch;
}

json::Object unlabel_patch(const kube::Pod& pod) {
  return {{"metadata",
           json::Object{{"uid", pod.metadata.uid.value()},
                        {"resourceVersion", pod.metadata.resourceVersion},
                        {"labels", json::Object{{workload::kJobIdLabel, nullptr}}},
                        {"annotations", json::Object{{workload::kNodeAnnotation, nullptr}}}}}};
}

json::Array unfinalize_patch(const kube::Pod& pod) {
  const auto& finalizers = pod.metadata.finalizers;
  const auto ours = std::ranges::find(finalizers, workload::kFinalizer);
  const std::string place =
      json::pointer_text({"metadata", "finalizers", std::to_string(ours - finalizers.begin())});
  return json::JsonPatch()
      .test(json::pointer_text({"metadata", "uid"}), pod.metadata.uid.value())
      .test(place, workload::kFinalizer)
      .remove(place)
      .operations();
}

json::Object condition_patch(const kube::Pod& pod, const Explanation& explanation) {
  return {{"metadata", json::Object{{"uid", pod.metadata.uid.value()}}},
          {"status",
           json::Object{{"conditions",
                         json::Array{json::Object{{"type", kScheduled},
                                                  {"status", "False"},
                                                  {"reason", explanation.reason},
                                                  {"message", explanation.message}}}}}}};
}

bool shows(const kube::Pod& pod, const Explanation& explanation) {
  return std::ranges::any_of(pod.status.conditions, [&](const kube::Condition& condition) {
    return condition.type == kScheduled && condition.status == "False" &&
           condition.reason == explanation.reason && condition.message == explanation.message;
  });
}

}  // namespace bridge
