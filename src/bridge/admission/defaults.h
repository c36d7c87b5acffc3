// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/pod.h"

#include <string>

namespace bridge::admission {

// The JSON patch for a new pod in our scope:
//  - removes a node that the author chose, so that the pod is scheduled;
//  - sets our scheduler unless the author chose one;
//  - adds the toleration for nodes that are tainted for us, if the pod is then ours.
//
// Expects     a pod that is being created. In an update the API server would reject the first two,
//             because both are immutable.
json::Array defaults_for(const kube::Pod& pod, const std::string& scheduler_name);

}  // namespace bridge::admission
