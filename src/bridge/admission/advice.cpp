// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/advice.h"

#include "workload/job_annotations.h"
#include "workload/ownership.h"
#include "workload/pod_resources.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

namespace bridge::admission {
namespace {

using workload::kJobAnnotationPrefix;

bool annotated(const kube::Pod& pod, std::string_view suffix) {
  return pod.metadata.annotations.contains(kJobAnnotationPrefix + std::string(suffix));
}

// Slurm counts memory in mebibytes.
bool asks_for_memory(const base::Result<kube::ResourceList>& amounts) {
  if (!amounts.ok()) return true;  // unknown
  const auto found = amounts->find("memory");
  return found != amounts->end() && (found->second.value() >> 20) > 0;
}

bool has_no_memory(const kube::Pod& pod) {
  return !annotated(pod, "mem-per-node") && !asks_for_memory(workload::pod_requests(pod)) &&
         !asks_for_memory(workload::pod_limits(pod));
}

bool has_no_end(const kube::Pod& pod) {
  return !annotated(pod, "timelimit") && !pod.spec.activeDeadlineSeconds;
}

}  // namespace

std::vector<std::string> advice_for(const kube::Pod& pod) {
  using Weight = workload::AnnotationProblem::Weight;
  std::vector<std::string> advice;
  for (auto& problem : workload::check_job_annotations(pod.metadata.annotations)) {
    if (problem.weight == Weight::warning) advice.push_back(std::move(problem.message));
  }
  if (workload::controller_of(pod.metadata) != nullptr) return advice;
  if (has_no_memory(pod)) {
    advice.push_back(fmt::format(
        "no memory is requested, so Slurm allocates all memory of the node to the pod; set "
        "resources.requests.memory or annotation {}mem-per-node",
        kJobAnnotationPrefix));
  }
  if (has_no_end(pod)) {
    advice.push_back(
        fmt::format("no time limit, so Slurm cannot backfill the pod; set annotation {}timelimit "
                    "(minutes) or spec.activeDeadlineSeconds",
                    kJobAnnotationPrefix));
  }
  return advice;
}

}  // namespace bridge::admission
