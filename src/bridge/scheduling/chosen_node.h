// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/cluster_state.h"

#include <optional>
#include <string>

namespace bridge::scheduling {

// Whether the node that Slurm chose can run the pod. Both fields empty: it can run the pod now.
struct ChosenNodeCheck {
  std::optional<std::string> never;    // why the node can never run the pod
  std::optional<std::string> not_now;  // why the node cannot run the pod at this moment
};

// Returns both fields empty also for a node that Kubernetes does not have, and for a pod whose
// requests cannot be parsed.
ChosenNodeCheck check_chosen_node(state::ClusterState& cluster,
                                  const kube::Pod& pod,
                                  const kube::NodeName& name);

// Whether the cluster state shows that the node can never run the pod. True for a node that
// Kubernetes does not have, and for a pod whose requests cannot be parsed.
//
// Does not    check volumes, readiness of the node, or resources that our own pods use.
bool is_unfit(state::ClusterState& cluster, const kube::Pod& pod, const slurm::SlurmNodeName& name);

}  // namespace bridge::scheduling
