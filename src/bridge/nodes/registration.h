// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "bridge/nodes/devices.h"
#include "bridge/nodes/mark.h"
#include "kube/api/node.h"
#include "slurm/api/node_change.h"

#include <string>
#include <vector>

namespace bridge::nodes {

// True if the label requests that this Kubernetes node is registered in Slurm.
bool asks_for_registration(const kube::Node& node);

// The partitions in its annotation, which are its features in Slurm.
std::vector<std::string> wanted_partitions(const kube::Node& node);

// The desired Slurm node for a Kubernetes node.
struct Registration {
  slurm::NewNode node;
  NodeMark mark;
};

// Kind::invalid while the Kubernetes node does not report its capacity.
base::Result<Registration> registration_of(const kube::Node& node,
                                           const NodeDevices& devices,
                                           const slurm::SlurmNodeName& name,
                                           const std::string& cluster);

}  // namespace bridge::nodes
