// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "workload/job_annotations.h"

#include <optional>
#include <string>

// Problems for which no Slurm job can be made, as messages for the author with the field and the
// fix. Admission and the scheduler use the same functions: a pod may bypass admission, and only the
// scheduler sees the values of its owners.
namespace workload {

// The pod has device claims: nothing would reserve them, and the kubelet would wait for them.
std::optional<std::string> resource_claims_problem(const kube::Pod& pod);

// One of these annotations requests the same as the containers request as devices of a class:
// cpu-per-task besides CPU devices, gres besides all other devices.
std::optional<std::string> asked_twice_problem(const kube::Pod& pod,
                                               const Annotations& annotations);

}  // namespace workload
