// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"

#include <string_view>

// Reads the conditions that the bridge writes to pods.
namespace bridge::marks {

// Reason of the condition workload::kJobKnownCondition when Slurm lost most of our jobs at once.
inline constexpr std::string_view kLostReason = "LostBySlurm";

// nullptr: the pod has no condition of that type.
const kube::Condition* condition_of(const kube::Pod& pod, std::string_view type);

// The status of that condition; empty if the pod does not have it.
std::string_view status_of(const kube::Pod& pod, std::string_view type);

// The pod's condition shows that its job was lost together with most of our jobs. Jobs that end or
// start later do not turn this loss into the end of the pod's job.
bool shows_loss(const kube::Pod& pod);

}  // namespace bridge::marks
