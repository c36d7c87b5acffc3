// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "kube/api/node_selector.h"

namespace workload {

// True if the node matches the selector, by the rules of Kubernetes: one term must match, with all
// its requirements; a term without requirements and an invalid term match nothing.
bool selects(const kube::NodeSelector& selector, const kube::Node& node);

// "zone In [a,b] and gpu Exists, or metadata.name In [n1]"
std::string to_text(const kube::NodeSelector& selector);

}  // namespace workload
