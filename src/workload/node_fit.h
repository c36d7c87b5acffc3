// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/amounts.h"
#include "kube/api/node.h"
#include "kube/api/pod.h"
#include "workload/node_usage.h"
#include "workload/volume_places.h"

#include <optional>
#include <string>

namespace workload {

// Why this node can never run this pod, as a message for the pod's author; empty if it may:
// nodeSelector, required node affinity, permanent taints that the pod does not tolerate, and too
// little room even without any pod of ours.
//
// Expects     requests as counted by pod_requests(); `room` with the usage of DaemonSet and foreign
//             pods (NodeUsage::without_ours).
// Does not    consider transient conditions: readiness, pressure, cordons and our own pods (such
//             nodes are drained, or the job is pending); the managed-node taint, which every pod of
//             ours tolerates; devices that DRA allocates, which Kubernetes does not count by node;
//             the room of a node that has not reported its allocatable resources yet.
std::optional<std::string> never_fits(const kube::Pod& pod,
                                      const kube::Amounts& requests,
                                      const kube::Node& node,
                                      const NodeRoom& room);
// Why a pod with these volumes can never run on this node, as a message; empty if it can.
std::optional<std::string> out_of_reach(const VolumePlaces& volumes, const kube::Node& node);

// Why a pod cannot be bound to this node now, as a message; empty if it can: the node is being
// deleted, not ready, cordoned, has a taint that the pod does not tolerate, or has no room besides
// the present pods.
//
// Expects     `room` with the usage of all pods that have not ended (NodeUsage::now).
std::optional<std::string> cannot_take_now(const kube::Pod& pod,
                                           const kube::Amounts& requests,
                                           const kube::Node& node,
                                           const NodeRoom& room);

}  // namespace workload
