// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"

#include <optional>
#include <string>

namespace workload {

// A request of the pod that the bridge does not support yet and must not ignore, because the pod
// would run but not as its author wrote it. One sentence with the field, the reason and the remedy;
// empty if there is none. It covers
//   devices of a DRA device class, required pod affinity and anti-affinity, membership in a
//   coscheduling PodGroup, in a LeaderWorkerSet with more than one pod per group, and in a PodGroup
//   of Kubernetes itself.
//
// Does not    reject preferred affinity, which is not a requirement; nor the PodGroup of a pod that
//             a Job controls: Kubernetes creates one for every Indexed Job by itself, and these
//             pods are scheduled one by one.
std::optional<std::string> unsupported_request(const kube::Pod& pod);

}  // namespace workload
