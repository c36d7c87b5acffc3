// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/node.h"
#include "kube/api/pod.h"
#include "kube/client/client.h"

#include <string>
#include <string_view>
#include <vector>

namespace bridge::nodes {

// True if a NoExecute taint on its node would evict this pod, now or after its toleration's time.
// Static pods stay.
bool would_be_evicted(const kube::Pod& pod, const kube::Taint& taint);

// The names of these pods in a list, as the API server sends it.
base::Result<std::vector<std::string>> evicted_of(std::string_view list, const kube::Taint& taint);

// The same, read from the API server: includes foreign pods that no store contains.
net::Task<base::Result<std::vector<std::string>>> evicted_pods(kube::Client& kube,
                                                               kube::NodeName node,
                                                               kube::Taint taint,
                                                               base::Instant deadline);

}  // namespace bridge::nodes
