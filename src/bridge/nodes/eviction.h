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

// Whether a NoExecute taint on its node would end this pod, now or after its toleration's time.
// Pods of the kubelet's own files stay.
bool would_be_evicted(const kube::Pod& pod, const kube::Taint& taint);

// The names of those pods of a list, as the API server writes it.
base::Result<std::vector<std::string>> evicted_of(std::string_view list, const kube::Taint& taint);

// The same, asked of the API server: also of pods that are not ours and that nobody follows.
net::Task<base::Result<std::vector<std::string>>> evicted_pods(kube::Client& kube,
                                                               kube::NodeName node,
                                                               kube::Taint taint,
                                                               base::Instant deadline);

}  // namespace bridge::nodes
