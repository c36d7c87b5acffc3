// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"
#include "kube/api/resource_list.h"

namespace kube::inline api {

struct Taint {
  std::string key;
  std::string value;
  std::string effect;

  friend bool operator==(const Taint&, const Taint&) = default;
};

struct NodeAddress {
  std::string type;  // "InternalIP", "Hostname", ...
  std::string address;
};

struct NodeSpec {
  bool unschedulable = false;
  std::vector<Taint> taints;
};

struct NodeStatus {
  ResourceList capacity;
  ResourceList allocatable;
  std::vector<Condition> conditions;
  std::vector<NodeAddress> addresses;
};

struct Node {
  ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;
  // For an unschedulable node: the field manager that set it, from metadata.managedFields. Empty:
  // unknown.
  std::vector<std::string> cordoned_by;

  NodeName name() const { return NodeName(metadata.name); }
  bool ready() const;
  // The condition Ready; nullptr until the kubelet has reported.
  const Condition* readiness() const;
  // Empty if it has none.
  const std::string& internal_ip() const;
};

template <>
base::Result<Node> decode_object<Node>(const json::Node& node);

template <>
inline const Resource& resource_of<Node>() {
  return kNodes;
}

}  // namespace kube::inline api
