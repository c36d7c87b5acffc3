// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "slurm/api/ids.h"

#include <map>
#include <optional>
#include <set>

namespace bridge::marks {

// What a Kubernetes node is called in Slurm.
slurm::SlurmNodeName slurm_name(const kube::Node& node);

// Which Kubernetes node a Slurm node is. The label slinky.slurm.net/slurm-nodename on the
// Kubernetes node decides, else both have the same name.
class NodeNames {
 public:
  // A node came, changed or went; either may be null.
  void update(const kube::Node* before, const kube::Node* after);

  // Empty if Kubernetes has no such node, or if two nodes claim the name: then nobody can tell.
  std::optional<kube::NodeName> kubernetes_name(const slurm::SlurmNodeName& slurm_name) const;
  // All that claim the name.
  const std::set<kube::NodeName>& kubernetes_names(const slurm::SlurmNodeName& slurm_name) const;

 private:
  std::map<slurm::SlurmNodeName, std::set<kube::NodeName>> nodes_;
};

}  // namespace bridge::marks
