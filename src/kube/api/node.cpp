// SPDX-License-Identifier: Apache-2.0
#include "kube/api/node.h"

#include "kube/api/decode_quantity.h"
#include "kube/api/describe.h"

#include <algorithm>

namespace kube {

BOOST_DESCRIBE_STRUCT(Taint, (), (key, value, effect))
BOOST_DESCRIBE_STRUCT(NodeSpec, (), (unschedulable, taints))
BOOST_DESCRIBE_STRUCT(NodeStatus, (), (capacity, allocatable, conditions))
BOOST_DESCRIBE_STRUCT(Node, (), (metadata, spec, status))

bool Node::ready() const {
  return std::ranges::any_of(status.conditions, [](const Condition& condition) {
    return condition.type == "Ready" && condition.status == "True";
  });
}

template <>
base::Result<Node> decode_object<Node>(const json::Node& node) {
  return json::decode<Node>(node);
}

}  // namespace kube
