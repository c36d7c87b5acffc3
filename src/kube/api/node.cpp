// SPDX-License-Identifier: Apache-2.0
#include "kube/api/node.h"

#include "kube/api/decode_quantity.h"
#include "kube/api/describe.h"

#include <algorithm>

namespace kube::inline api {

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

namespace {

std::vector<std::string> managers_of_cordon(const json::Node& node) {
  std::vector<std::string> managers;
  const auto metadata = node.find("metadata");
  const auto entries = metadata ? metadata->find("managedFields") : std::nullopt;
  if (!entries) return managers;
  entries->each_element([&](json::Node entry) {
    const auto fields = entry.find("fieldsV1");
    const auto spec = fields ? fields->find("f:spec") : std::nullopt;
    const auto manager = entry.find("manager");
    if (spec && spec->find("f:unschedulable"))
      managers.emplace_back(manager ? manager->as_string().value_or("") : "");
    return true;
  });
  return managers;
}

}  // namespace

template <>
base::Result<Node> decode_object<Node>(const json::Node& node) {
  TRY(Node decoded, json::decode<Node>(node));
  if (decoded.spec.unschedulable) decoded.cordoned_by = managers_of_cordon(node);
  return decoded;
}

}  // namespace kube::inline api
