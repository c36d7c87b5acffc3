// SPDX-License-Identifier: Apache-2.0
#pragma once

// Only for the .cpp of a kind: decoding of node selectors.
#include "json/decode.h"
#include "kube/api/node_selector.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(NodeSelectorRequirement, (), (key, operator_, values))
BOOST_DESCRIBE_STRUCT(NodeSelectorTerm, (), (matchExpressions, matchFields))
BOOST_DESCRIBE_STRUCT(NodeSelector, (), (nodeSelectorTerms))

}  // namespace kube::inline api
