// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"

namespace workload {

// What a pod occupies on a node, as Kubernetes itself counts: app containers and sidecars add up,
// ordinary init containers run one after the other beside the sidecars started before them,
// requests at pod level take precedence, overhead comes on top.
base::Result<kube::ResourceList> pod_requests(const kube::Pod& pod);

// The same over limits: extended resources such as GPUs are asked for there.
base::Result<kube::ResourceList> pod_limits(const kube::Pod& pod);

}  // namespace workload
