// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/node_generation.h"

namespace bridge::state {

bool NodeGeneration::count(bool counts) {
  if (counts) ++value_;
  return counts;
}

bool NodeGeneration::changed(const kube::Node* before, const kube::Node* after) {
  const bool same = before != nullptr && after != nullptr &&
                    before->metadata.labels == after->metadata.labels &&
                    before->spec.taints == after->spec.taints &&
                    before->status.allocatable == after->status.allocatable;
  return count(!same);
}

bool NodeGeneration::changed(const slurm::SlurmNodeName& name, const slurm::Node* now) {
  if (now == nullptr) return count(partitions_.erase(name) > 0);
  const auto [known, is_new] = partitions_.try_emplace(name, now->partitions);
  if (!is_new && known->second == now->partitions) return count(false);
  known->second = now->partitions;
  return count(true);
}

}  // namespace bridge::state
