// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/refusals.h"

#include "base/quote.h"
#include "workload/asked_resources.h"
#include "workload/job_annotations.h"
#include "workload/job_of_pod.h"
#include "workload/pod_problems.h"
#include "workload/unsupported_requests.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bridge::admission {
namespace {

using Refusal = std::optional<Denial>;
using workload::AskedResource;
using workload::kJobAnnotationPrefix;
using workload::kJobIdLabel;
using workload::kNodeAnnotation;

constexpr int kForbidden = 403;
constexpr int kUnprocessable = 422;
constexpr int kNotNow = 503;

constexpr std::array<std::string_view, 3> kKnownClasses = {
    "dra.cpu", "gpu.nvidia.com", "gpu.example.com"};

Refusal unprocessable(std::optional<std::string> problem) {
  if (!problem) return std::nullopt;
  return Denial{kUnprocessable, *std::move(problem)};
}

Refusal job_label(const SubmittedPod& submitted) {
  if (submitted.pod.metadata.label(kJobIdLabel).empty()) return std::nullopt;
  return Denial{kForbidden,
                fmt::format("label {}: it names the pod's Slurm job and is set by the bridge "
                            "only; create the pod without it",
                            kJobIdLabel)};
}

Refusal node_annotation(const SubmittedPod& submitted) {
  if (submitted.pod.metadata.annotation(kNodeAnnotation).empty()) return std::nullopt;
  return Denial{kForbidden,
                fmt::format("annotation {}: it names the node that Slurm chose and is set by "
                            "the bridge only; create the pod without it",
                            kNodeAnnotation)};
}

Refusal resource_claims(const SubmittedPod& submitted) {
  return unprocessable(workload::resource_claims_problem(submitted.pod));
}

Refusal topology_spread(const SubmittedPod& submitted) {
  if (!submitted.topology_spread) return std::nullopt;
  return Denial{
      kUnprocessable,
      fmt::format("spec.topologySpreadConstraints: Slurm chooses the nodes and does not "
                  "support spread constraints; remove them, or name node features with annotation "
                  "{}constraints",
                  kJobAnnotationPrefix)};
}

Refusal cpus_asked_twice(const SubmittedPod& submitted) {
  const auto all = workload::asked_resources(submitted.pod);
  const auto native = std::ranges::find(all, "cpu", &AskedResource::resource);
  const auto device = std::ranges::find_if(all, workload::is_cpu_device);
  if (native == all.end() || device == all.end()) return std::nullopt;
  return Denial{kUnprocessable,
                fmt::format("{}: {} requests {}, and {} requests cpu in {}; a pod gets its CPUs "
                            "in one way only, keep one of the two",
                            device->field,
                            device->container,
                            device->resource,
                            native->container,
                            native->field)};
}

Refusal unknown_device_class(const SubmittedPod& submitted) {
  const auto all = workload::asked_resources(submitted.pod);
  const auto unknown = std::ranges::find_if(all, [](const AskedResource& asked) {
    const auto name = workload::device_class(asked.resource);
    return name && std::ranges::find(kKnownClasses, *name) == kKnownClasses.end();
  });
  if (unknown == all.end()) return std::nullopt;
  return Denial{
      kUnprocessable,
      fmt::format("{}: {} requests device class {}, which Slurm cannot allocate; request the "
                  "resource of a device plugin, or use annotation {}gres",
                  unknown->field,
                  unknown->container,
                  base::quoted(*workload::device_class(unknown->resource)),
                  kJobAnnotationPrefix)};
}

Refusal asked_by_annotation_and_device(const SubmittedPod& submitted) {
  return unprocessable(
      workload::asked_twice_problem(submitted.pod, submitted.pod.metadata.annotations));
}

Refusal malformed_annotation(const SubmittedPod& submitted) {
  using Weight = workload::AnnotationProblem::Weight;
  for (auto& problem : workload::check_job_annotations(submitted.pod.metadata.annotations)) {
    if (problem.weight == Weight::error) return Denial{kUnprocessable, std::move(problem.message)};
  }
  return std::nullopt;
}

// Missing values of a controller's pod may be on the controller, which is not visible here.
Refusal no_job_possible(const SubmittedPod& submitted) {
  if (workload::controller_of(submitted.pod.metadata) != nullptr) return std::nullopt;
  const auto job = workload::job_of_pod(submitted.pod, workload::BridgeIdentity(), {});
  if (job.ok()) return std::nullopt;
  return Denial{kUnprocessable, job.error().message()};
}

// Annotations with a prefix of ours that may differ between two pods.
bool same_job_annotations(const kube::ObjectMeta& a, const kube::ObjectMeta& b) {
  const auto begin = [](const auto& map) { return map.lower_bound(kJobAnnotationPrefix); };
  const auto end = [&](const auto& map) {
    return std::find_if(begin(map), map.end(), [](const auto& entry) {
      return !entry.first.starts_with(kJobAnnotationPrefix);
    });
  };
  return std::equal(
      begin(a.annotations), end(a.annotations), begin(b.annotations), end(b.annotations));
}

Refusal not_yours(std::string_view what, std::string_view user, const std::optional<Users>& ours) {
  if (!ours) {
    return Denial{
        kNotNow,
        fmt::format("{}: the bridge has just started and does not know its own user name yet; "
                    "try again in a moment",
                    what)};
  }
  if (ours->contains(user)) return std::nullopt;
  return Denial{kForbidden,
                fmt::format("{}: only the bridge may change it, and {} is not the bridge (its "
                            "--bridge-user); to end the Slurm job, delete the pod",
                            what,
                            base::quoted(user, 128))};
}

Refusal changed_identity(const Change& change, const std::optional<Users>& bridge_users) {
  const kube::ObjectMeta& before = change.before.pod.metadata;
  const kube::ObjectMeta& after = change.after.pod.metadata;
  if (before.label(kJobIdLabel) != after.label(kJobIdLabel))
    return not_yours("label " + kJobIdLabel, change.user, bridge_users);
  if (before.annotation(kNodeAnnotation) != after.annotation(kNodeAnnotation))
    return not_yours("annotation " + kNodeAnnotation, change.user, bridge_users);
  return std::nullopt;
}

using Rule = Refusal (*)(const SubmittedPod&);

constexpr Rule kAtCreation[] = {job_label,
                                node_annotation,
                                resource_claims,
                                topology_spread,
                                cpus_asked_twice,
                                unknown_device_class,
                                asked_by_annotation_and_device};
constexpr Rule kAtChange[] = {unknown_device_class, asked_by_annotation_and_device};

}  // namespace

Refusal refusal_of_creation(const SubmittedPod& pod, const std::string& scheduler_name) {
  for (const Rule rule : kAtCreation) {
    if (Refusal refusal = rule(pod)) return refusal;
  }
  if (pod.pod.spec.schedulerName != scheduler_name) return std::nullopt;
  if (Refusal refusal = malformed_annotation(pod)) return refusal;
  if (Refusal refusal = no_job_possible(pod)) return refusal;
  return unprocessable(workload::unsupported_request(pod.pod));
}

Refusal refusal_of_change(const Change& change,
                          const std::string& scheduler_name,
                          const std::optional<Users>& bridge_users) {
  const bool is_ours = change.after.pod.spec.schedulerName == scheduler_name;
  if (change.subresource == "resize" && is_ours) {
    return Denial{kForbidden,
                  "spec.containers[].resources: the pod's Slurm job has the size with which it was "
                  "created; delete the pod and create it with the new size"};
  }
  if (Refusal refusal = changed_identity(change, bridge_users)) return refusal;
  for (const Rule rule : kAtChange) {
    Refusal refusal = rule(change.after);
    if (refusal && !rule(change.before)) return refusal;
  }
  const kube::Pod& pod = change.after.pod;
  const bool may_still_count =
      is_ours && !pod.bound() && !same_job_annotations(change.before.pod.metadata, pod.metadata);
  if (!may_still_count) return std::nullopt;
  if (Refusal refusal = malformed_annotation(change.after)) return refusal;
  return no_job_possible(change.before) ? std::nullopt : no_job_possible(change.after);
}

}  // namespace bridge::admission
