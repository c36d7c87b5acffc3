// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"

namespace kube::inline api {

// Returns what a pod occupies on a node, as Kubernetes calculates it: app containers and sidecars
// add up; ordinary init containers run one after the other, in parallel to the sidecars started
// before them; requests at pod level take precedence (for CPU, memory and huge pages); overhead is
// added.
base::Result<ResourceList> pod_requests(const PodSpec& spec);

// The same for limits: extended resources such as GPUs are requested there. Overhead counts only if
// there is a limit.
base::Result<ResourceList> pod_limits(const PodSpec& spec);

}  // namespace kube::inline api
