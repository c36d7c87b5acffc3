// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/parts/parts.h"

namespace slurmop::parts {

// Who may connect to the pods of the cluster; everything else is denied. Connections from the pods
// are not limited: jobs need the network.
//
//   pods        port                from
//   all         all                 pods of the same cluster
//   login       22                  everywhere
//   controller  6880 (agent)        the operator
//   rest        6820                the operator; all pods if slurmNodes.rest.enabled
//
// A network plugin that does not enforce NetworkPolicies ignores them.
Objects network_policies(const Cluster& cluster);

}  // namespace slurmop::parts
