// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "slurm/api/model.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bridge::state {

// Counts the changes of nodes that can change which pods fit them. What does not (heartbeats,
// readiness, cordons, states in Slurm) is not counted.
//
// Both functions return whether the change counts.
class NodeGeneration {
 public:
  std::uint64_t value() const { return value_; }

  // A node of Kubernetes is new (before is null), gone (after is null) or different.
  bool changed(const kube::Node* before, const kube::Node* after);
  // A node of Slurm is new, gone (now is null) or different.
  bool changed(const slurm::SlurmNodeName& name, const slurm::Node* now);

 private:
  bool count(bool counts);

  std::uint64_t value_ = 0;
  std::map<slurm::SlurmNodeName, std::vector<std::string>> partitions_;  // of Slurm's nodes
};

}  // namespace bridge::state
