// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "slurm/api/ids.h"

#include <map>
#include <optional>
#include <set>

namespace bridge::marks {

// The name of a Kubernetes node in Slurm.
slurm::SlurmNodeName slurm_name(const kube::Node& node);

// Maps names of Slurm nodes to Kubernetes nodes. The label slinky.slurm.net/slurm-nodename of the
// Kubernetes node is its name in Slurm; without the label, both names are equal.
class NodeNames {
 public:
  // A node is new (before is null), deleted (after is null) or changed.
  void update(const kube::Node* before, const kube::Node* after);

  // Empty if Kubernetes has no such node, or if several nodes claim the name.
  std::optional<kube::NodeName> kubernetes_name(const slurm::SlurmNodeName& slurm_name) const;
  // All Kubernetes nodes that claim the name.
  const std::set<kube::NodeName>& kubernetes_names(const slurm::SlurmNodeName& slurm_name) const;

 private:
  std::map<slurm::SlurmNodeName, std::set<kube::NodeName>> nodes_;
};

}  // namespace bridge::marks
