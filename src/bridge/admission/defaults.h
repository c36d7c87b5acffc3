// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/pod.h"

#include <string>

namespace bridge::admission {

// What a new pod in our scope gets: the JSON patch that
//   - takes a node off that its author chose, so that it is scheduled at all;
//   - makes it ours where nobody chose a scheduler (another one that somebody chose stays);
//   - lets it stay on the nodes that are tainted for us, if it is ours then.
//
// Expects     a pod that is being created. On an update the API server would refuse the first two,
//             for both are fixed by then.
json::Array defaults_for(const kube::Pod& pod, const std::string& scheduler_name);

}  // namespace bridge::admission
