// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "kube/api/pod.h"

namespace workload {

// Keeps pods off its node: NoSchedule or NoExecute.
bool repels(const kube::Taint& taint);

// Kubernetes sets and removes it as the state of the node changes: not ready, under pressure,
// cordoned.
bool is_transient(const kube::Taint& taint);

// By the rules of Kubernetes: an empty key with Exists tolerates everything, an empty effect any.
bool tolerates(const kube::Pod& pod, const kube::Taint& taint);

// "key=value:NoSchedule"
std::string to_text(const kube::Taint& taint);

}  // namespace workload
