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

}  // namespace bridge::scheduling
