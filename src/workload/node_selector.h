// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "kube/api/node_selector.h"

namespace workload {

// Whether a node is among those that a selector means, by the rules of Kubernetes: any term, and of
// a term all requirements; a term without requirements and one that makes no sense match nothing.
bool selects(const kube::NodeSelector& selector, const kube::Node& node);

// "zone In [a,b] and gpu Exists, or metadata.name In [n1]"
std::string in_words(const kube::NodeSelector& selector);

}  // namespace workload
