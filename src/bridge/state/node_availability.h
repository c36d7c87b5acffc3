// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/cluster_state.h"

#include <string>

namespace bridge::state {

// Kubernetes has no such node, or the node is not Ready. False until the nodes are listed.
bool node_is_dead(ClusterState& cluster, const std::string& node);

// Slurm starts no job on the node: the node is drained, down, or not in Slurm. False until Slurm's
// nodes are listed. If Kubernetes does not have the node any more, its name in Slurm is read from
// `job`, the job of the pod on that node, if that job runs.
bool is_unavailable_in_slurm(ClusterState& cluster,
                             const std::string& node,
                             const slurm::JobView* job);

}  // namespace bridge::state
