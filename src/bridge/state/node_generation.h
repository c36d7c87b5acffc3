// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "slurm/api/model.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bridge::state {

// Counts the changes of nodes that can change which pods fit: new and removed nodes, labels,
// taints, allocatable resources, partitions.
//
// Guarantees  changed() returns whether the change was counted.
// Does not    count heartbeats, conditions, the field unschedulable, and node states in Slurm.
class NodeGeneration {
 public:
  std::uint64_t value() const { return value_; }

  // A Kubernetes node is new (before is null), deleted (after is null) or changed.
  bool changed(const kube::Node* before, const kube::Node* after);
  // A Slurm node is new, deleted (now is null) or changed.
  bool changed(const slurm::SlurmNodeName& name, const slurm::Node* now);

 private:
  bool count(bool counts);

  std::uint64_t value_ = 0;
  std::map<slurm::SlurmNodeName, std::vector<std::string>> partitions_;  // of Slurm's nodes
};

}  // namespace bridge::state
