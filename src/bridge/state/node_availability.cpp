// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/node_availability.h"

#include "bridge/state/job_end.h"

#include <algorithm>
#include <vector>

namespace bridge::state {
namespace {

bool is_unavailable_in_slurm(ClusterState& cluster, const slurm::SlurmNodeName& node) {
  const slurm::Node* found = cluster.slurm_nodes().find(node);
  return found == nullptr || found->draining() || found->has_state("DOWN");
}

}  // namespace

bool node_is_dead(ClusterState& cluster, const std::string& node) {
  const auto found = cluster.nodes().find({"", node});
  return cluster.nodes().synced() && (!found || !found->ready());
}

bool is_unavailable_in_slurm(ClusterState& cluster,
                             const std::string& node,
                             const slurm::JobView* job) {
  if (!cluster.slurm_nodes().synced()) return false;
  const bool has_name = cluster.nodes().find({"", node}) != nullptr;
  // A job that is not running has no nodes.
  if (has_name || job == nullptr || !job_is_live(job).value_or(true) ||
      job->known(slurm::JobState::pending))
    return is_unavailable_in_slurm(cluster, cluster.slurm_name(node));
  // In a job of several pods, the nodes that Kubernetes still has belong to other pods.
  std::vector<slurm::SlurmNodeName> its_own;
  for (const slurm::SlurmNodeName& name : job->nodes) {
    if (!cluster.names().kubernetes_name(name)) its_own.push_back(name);
  }
  if (its_own.empty()) its_own = job->nodes;
  return !its_own.empty() && std::ranges::all_of(its_own, [&](const auto& name) {
    return is_unavailable_in_slurm(cluster, name);
  });
}

}  // namespace bridge::state
