// SPDX-License-Identifier: Apache-2.0
#include "kube/api/node.h"

#include "kube/api/decode_quantity.h"
#include "kube/api/describe.h"

#include <algorithm>

namespace kube {

BOOST_DESCRIBE_STRUCT(Taint, (), (key, value, effect))
BOOST_DESCRIBE_STRUCT(NodeAddress, (), (type, address))
BOOST_DESCRIBE_STRUCT(NodeSpec, (), (unschedulable, taints))
BOOST_DESCRIBE_STRUCT(NodeStatus, (), (capacity, allocatable, conditions, addresses))
BOOST_DESCRIBE_STRUCT(Node, (), (metadata, spec, status))

const Condition* Node::readiness() const {
  const auto found = std::ranges::find(status.conditions, "Ready", &Condition::type);
  return found == status.conditions.end() ? nullptr : &*found;
}

bool Node::ready() const {
  const Condition* condition = readiness();
  return condition != nullptr && condition->status == "True";
}

const std::string& Node::internal_ip() const {
  static const std::string kNone;
  const auto found = std::ranges::find(status.addresses, "InternalIP", &NodeAddress::type);
  return found == status.addresses.end() ? kNone : found->address;
}

template <>
base::Result<Node> decode_object<Node>(const json::Node& node) {
  return json::decode<Node>(node);
}

}  // namespace kube
