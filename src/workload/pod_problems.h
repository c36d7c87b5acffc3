// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "workload/job_annotations.h"

#include <optional>
#include <string>

// What no Slurm job can be made of, in words for who wrote it, with the field and the fix.
// Admission and the scheduler ask the same functions: a pod may come past admission, and what its
// owners say is seen by the scheduler alone.
namespace workload {

// The pod has device claims: nobody would reserve them, and the kubelet would wait for that.
std::optional<std::string> resource_claims_problem(const kube::Pod& pod);

// One of these annotations asks for what the pod's containers ask for as devices of a class:
// cpu-per-task beside devices that are CPUs, gres beside all others.
std::optional<std::string> asked_twice_problem(const kube::Pod& pod,
                                               const Annotations& annotations);

}  // namespace workload
