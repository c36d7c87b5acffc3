// SPDX-License-Identifier: Apache-2.0
#include "bridge/writes/pod_writes.h"

#include "base/rfc3339.h"
#include "bridge/marks/named_job.h"
#include "bridge/marks/pod_conditions.h"
#include "bridge/marks/toleration.h"
#include "json/patch.h"
#include "workload/finalizers.h"
#include "workload/wellknown.h"

#include <algorithm>

namespace bridge::writes {
namespace {

constexpr std::string_view kScheduled = "PodScheduled";
constexpr std::string_view kDisruption = "DisruptionTarget";

// All tolerations of the pod and ours; empty if the pod has ours already.
json::Array tolerations_with_ours(const kube::Pod& pod, const std::string& scheduler_name) {
  const kube::Toleration ours = marks::our_toleration(scheduler_name);
  json::Array all;
  if (marks::has(pod.spec.tolerations, ours)) return all;
  for (const kube::Toleration& toleration : pod.spec.tolerations)
    all.emplace_back(marks::toleration_json(toleration));
  all.emplace_back(marks::toleration_json(ours));
  return all;
}

// Conditional on the resourceVersion: a write that the API server executes late must not replace a
// newer message, which would not be written again.
json::Object with_condition(const kube::Pod& pod, json::Object condition) {
  return {{"metadata",
           json::Object{{"uid", pod.metadata.uid.value()},
                        {"resourceVersion", pod.metadata.resourceVersion}}},
          {"status", json::Object{{"conditions", json::Array{std::move(condition)}}}}};
}

std::string_view message(JobShown job) {
  switch (job) {
    case JobShown::known: return "Slurm knows the job under which this pod runs.";
    case JobShown::unknown:
      return "Slurm does not know the job under which this pod runs, and nothing proves that it "
             "ended: the pod is left alone.";
    case JobShown::lost:
      return "Slurm does not know the job under which this pod runs, and knows fewer jobs of ours "
             "that are as old than it lost: it seems to have lost its state. The pod is left "
             "alone.";
  }
  return "";
}

std::string_view reason(JobShown job) {
  switch (job) {
    case JobShown::known: return "Known";
    case JobShown::unknown: return "UnknownToSlurm";
    case JobShown::lost: return marks::kLostReason;
  }
  return "";
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
  // A job that the pod names already may be a job of the reference, which has no identity.
  if (marks::named_job(pod) != job) {
    patch.find("metadata")
        ->as_object()
        ->set("annotations",
              json::Object{{workload::kIdentifiedJobAnnotation, std::to_string(job.value())}});
  }
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
                        {"annotations",
                         json::Object{{workload::kNodeAnnotation, nullptr},
                                      {workload::kIdentifiedJobAnnotation, nullptr}}}}}};
}

json::Array unfinalize_patch(const kube::Pod& pod) {
  const auto& finalizers = pod.metadata.finalizers;
  json::JsonPatch patch;
  patch.test(json::pointer_text({"metadata", "uid"}), pod.metadata.uid.value());
  // In reverse order: a removal changes the indexes of later elements.
  for (std::size_t i = finalizers.size(); i-- > 0;) {
    if (!workload::is_bridge_finalizer(finalizers[i])) continue;
    const std::string place = json::pointer_text({"metadata", "finalizers", std::to_string(i)});
    patch.test(place, finalizers[i]).remove(place);
  }
  return std::move(patch).operations();
}

json::Object condition_patch(const kube::Pod& pod, const Explanation& explanation) {
  return with_condition(pod,
                        json::Object{{"type", kScheduled},
                                     {"status", "False"},
                                     {"reason", explanation.reason()},
                                     {"message", explanation.message}});
}

std::optional<json::Object> disruption_patch(const kube::Pod& pod,
                                             const state::JobEnded& because,
                                             base::WallTime now) {
  if (because.disruption.empty() || marks::status_of(pod, kDisruption) == "True")
    return std::nullopt;
  return with_condition(pod,
                        json::Object{{"type", kDisruption},
                                     {"status", "True"},
                                     {"reason", because.disruption},
                                     {"message", because.statement},
                                     {"lastTransitionTime", base::format_rfc3339(now)}});
}

std::optional<json::Object> job_known_patch(const kube::Pod& pod,
                                            JobShown job,
                                            base::WallTime now) {
  const kube::Condition* shown = marks::condition_of(pod, workload::kJobKnownCondition);
  const bool doubted = shown != nullptr && shown->status == "False";
  if (job == JobShown::known && !doubted) return std::nullopt;
  if (job == JobShown::unknown && doubted) return std::nullopt;
  if (job == JobShown::lost && marks::shows_loss(pod)) return std::nullopt;
  const bool turns = job == JobShown::known || !doubted;
  return with_condition(
      pod,
      json::Object{
          {"type", workload::kJobKnownCondition},
          {"status", job == JobShown::known ? "True" : "False"},
          {"reason", reason(job)},
          {"message", message(job)},
          {"lastTransitionTime", turns ? base::format_rfc3339(now) : shown->lastTransitionTime}});
}

bool is_explained(const kube::Pod& pod) {
  return std::ranges::any_of(pod.status.conditions, [](const kube::Condition& condition) {
    return condition.type == kScheduled && condition.status == "False" &&
           std::ranges::find(causes(), condition.reason, &CauseLine::reason) != causes().end();
  });
}

bool shows(const kube::Pod& pod, const Explanation& explanation) {
  return std::ranges::any_of(pod.status.conditions, [&](const kube::Condition& condition) {
    return condition.type == kScheduled && condition.status == "False" &&
           condition.reason == explanation.reason() && condition.message == explanation.message;
  });
}

}  // namespace bridge::writes
