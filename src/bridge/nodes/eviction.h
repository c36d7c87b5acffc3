// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/node.h"
#include "kube/api/pod.h"
#include "kube/client/api.h"

#include <string>
#include <vector>

namespace bridge::nodes {

// True if a NoExecute taint on its node would evict this pod, now or after its toleration's time.
// Static pods stay.
bool would_be_evicted(const kube::Pod& pod, const kube::Taint& taint);

// The names of these pods.
std::vector<std::string> evicted_of(const std::vector<kube::Pod>& pods, const kube::Taint& taint);

// The same for all pods of a node, read from the API server: includes foreign pods that no store
// contains.
net::Task<base::Result<std::vector<std::string>>> evicted_pods(kube::Api<kube::Pod> pods,
                                                               kube::NodeName node,
                                                               kube::Taint taint);

}  // namespace bridge::nodes
