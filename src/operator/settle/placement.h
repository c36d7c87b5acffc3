// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/api/generated/node_set.h"
#include "operator/settle/cluster.h"

#include <string_view>

namespace slurmop::settle {

inline constexpr std::string_view kControlPlane = "node-role.kubernetes.io/control-plane";

// The placement of the pods of a NodeSet. Control-plane nodes are excluded as by placement_of.
Placement placement_of(const api::NodeSetSpec& spec);

// Returns the affinity with the additional requirement that a node is not of the control plane.
//
// Guarantees  a node that the affinity did not allow is not allowed by the result; what is not an
//             affinity is returned as it is, and the API server refuses it.
json::Value without_control_plane(json::Value affinity);

}  // namespace slurmop::settle
