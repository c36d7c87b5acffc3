// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/cluster_state.h"

#include <string>

namespace bridge::state {

// Kubernetes has no such node any more, or its kubelet does not report.
bool node_is_dead(ClusterState& cluster, const std::string& node);

// Slurm starts no job on the node: the node is drained, down, or not in Slurm. If Kubernetes has no such node any more,
// `job` (of the pod on that node) tells its name in Slurm.
bool is_unavailable_in_slurm(ClusterState& cluster,
                             const std::string& node,
                             const slurm::JobView* job);

}  // namespace bridge::state
