// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/cluster_state.h"

#include <optional>
#include <string>

namespace bridge::scheduling {

// Whether the node that Slurm chose for a pod can take it. Both empty: it can, now.
struct ChosenNodeCheck {
  std::optional<std::string> never;    // why the node can never take the pod
  std::optional<std::string> not_now;  // why it cannot take the pod at this moment
};

// Both empty also for a node that Kubernetes does not have, or a pod whose requests cannot be read.
ChosenNodeCheck check_chosen_node(state::ClusterState& cluster,
                                  const kube::Pod& pod,
                                  const kube::NodeName& name);

// Whether the cluster state shows that the node can never take the pod. It does not show a volume that cannot be
// reached, nor a node that was not ready or full for too long.
bool is_unfit(state::ClusterState& cluster, const kube::Pod& pod, const slurm::SlurmNodeName& name);

}  // namespace bridge::scheduling
