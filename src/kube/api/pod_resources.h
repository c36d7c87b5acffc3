// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"

namespace kube::inline api {

// What a pod occupies on a node, as Kubernetes itself counts: app containers and sidecars add up,
// ordinary init containers run one after the other beside the sidecars started before them,
// requests at pod level take precedence (for CPU, memory and huge pages), overhead comes on top.
base::Result<ResourceList> pod_requests(const PodSpec& spec);

// The same over limits: extended resources such as GPUs are asked for there. Overhead counts only
// where there is a limit at all.
base::Result<ResourceList> pod_limits(const PodSpec& spec);

}  // namespace kube::inline api
