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

// The label says that this Kubernetes node is to be a node of Slurm's.
bool asks_for_registration(const kube::Node& node);

// The partitions of its annotation: they are its features in Slurm.
std::vector<std::string> wanted_partitions(const kube::Node& node);

// What a node of Slurm's has to be for a Kubernetes node.
struct Registration {
  slurm::NewNode node;
  NodeMark mark;
};

// Kind::invalid while the Kubernetes node does not say how large it is.
base::Result<Registration> registration_of(const kube::Node& node,
                                           const NodeDevices& devices,
                                           const slurm::SlurmNodeName& name,
                                           const std::string& cluster);

}  // namespace bridge::nodes
