// SPDX-License-Identifier: Apache-2.0
#include "workload/job_of_pod.h"

#include "workload/gres.h"
#include "workload/job_annotations.h"
#include "workload/pod_problems.h"
#include "workload/pod_resources.h"
#include "workload/wellknown.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace workload {
namespace {

using slurm::JobRequest;

// The larger of requests and limits: a pod may use up to its limit.
std::int64_t most(const kube::ResourceList& requests,
                  const kube::ResourceList& limits,
                  const std::string& name) {
  std::int64_t value = 0;
  for (const kube::ResourceList* list : {&requests, &limits}) {
    if (const auto found = list->find(name); found != list->end()) {
      value = std::max(value, found->second.value());
    }
  }
  return value;
}

// Slurm uses 32 bits; a larger number remains larger than every node.
std::uint32_t capped(std::int64_t number) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(number, 0, std::numeric_limits<std::int32_t>::max()));
}

// The resources that the pod's containers request.
base::Result<void> ask_for_resources(const kube::Pod& pod, JobRequest& request) {
  TRY(const kube::ResourceList requests, pod_requests(pod));
  TRY(const kube::ResourceList limits, pod_limits(pod));
  const std::int64_t cpus =
      std::max(most(requests, limits, "cpu"), most(requests, limits, kCpuDevices));
  if (cpus > 0) request.cpus_per_task = capped(cpus);
  if (const std::int64_t mib = most(requests, limits, "memory") >> 20; mib > 0)
    request.memory_per_node_mib = static_cast<std::uint64_t>(mib);
  TRY(request.tres_per_node, gres_of(limits));
  return {};
}

base::Result<void> check_what_no_job_has(const kube::Pod& pod, const Annotations& annotations) {
  auto problem = resource_claims_problem(pod);
  if (!problem) problem = asked_twice_problem(pod, annotations);
  if (problem) return base::Error(base::Kind::invalid, *std::move(problem));
  return {};
}

}  // namespace

base::Result<JobRequest> job_of_pod(const kube::Pod& pod,
                                    const Ownership& owners,
                                    const BridgeIdentity& bridge,
                                    const JobDefaults& defaults) {
  const auto annotations = job_annotations(pod, owners);
  TRY_VOID(check_what_no_job_has(pod, annotations));
  JobRequest request;
  request.admin_comment =
      admin_comment({bridge, pod.metadata.uid, {{pod.metadata.key(), pod.metadata.uid}}});
  request.name = pod.metadata.name;
  request.partition = defaults.partition;
  request.mcs_label = defaults.mcs_label;
  request.nodes = 1;
  request.minimum_nodes = 1;
  request.maximum_nodes = 1;
  request.tasks_per_node = 1;
  request.exclusive = true;  // as the reference: a pod shares its node only if it requests so
  TRY_VOID(ask_for_resources(pod, request));
  if (const auto seconds = time_limit_seconds(pod, owners))
    request.time_limit_minutes = capped((*seconds - 1) / 60 + 1);
  TRY_VOID(apply_job_annotations(annotations, request));
  return request;
}

base::Result<JobRequest> job_of_pod(const kube::Pod& pod,
                                    const BridgeIdentity& bridge,
                                    const JobDefaults& defaults) {
  return job_of_pod(pod, Ownership(), bridge, defaults);
}

}  // namespace workload
