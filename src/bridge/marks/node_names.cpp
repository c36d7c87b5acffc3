// SPDX-License-Identifier: Apache-2.0
#include "bridge/marks/node_names.h"

#include "workload/wellknown.h"

namespace bridge::marks {

slurm::SlurmNodeName slurm_name(const kube::Node& node) {
  const std::string& label = node.metadata.label(workload::kSlurmNodeNameLabel);
  return slurm::SlurmNodeName(label.empty() ? node.metadata.name : label);
}

void NodeNames::update(const kube::Node* before, const kube::Node* after) {
  if (before != nullptr) {
    const auto found = nodes_.find(slurm_name(*before));
    if (found != nodes_.end()) {
      found->second.erase(before->name());
      if (found->second.empty()) nodes_.erase(found);
    }
  }
  if (after != nullptr) nodes_[slurm_name(*after)].insert(after->name());
}

std::optional<kube::NodeName> NodeNames::kubernetes_name(
    const slurm::SlurmNodeName& slurm_name) const {
  const auto found = nodes_.find(slurm_name);
  if (found == nodes_.end() || found->second.size() != 1) return std::nullopt;
  return *found->second.begin();
}

const std::set<kube::NodeName>& NodeNames::kubernetes_names(
    const slurm::SlurmNodeName& name) const {
  static const std::set<kube::NodeName> kNone;
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? kNone : found->second;
}

}  // namespace bridge::marks
