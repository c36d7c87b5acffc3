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

// Why this node can never take this pod, in words for the person who owns the pod; empty if it
// might one day: nodeSelector, required node affinity, taints that stay and that it does not
// tolerate, and room that is too small even without any pod of ours.
//
// Expects     requests as pod_requests() counts them; `room` with what DaemonSet and foreign pods
//             hold (NodeUsage::without_ours).
// Does not    look at what passes: readiness, pressure, cordons and our own pods (those are
//             DRAINed or waited for), nor at the managed-node taint, which every pod of ours
//             tolerates; nor at devices that DRA gives out, which Kubernetes does not count by
//             node; nor at the room of a node that has not said yet what it has.
std::optional<std::string> never_fits(const kube::Pod& pod,
                                      const kube::Amounts& requests,
                                      const kube::Node& node,
                                      const NodeRoom& room);
// Why a pod with these volumes can never run on this node, in words; empty if it can.
std::optional<std::string> out_of_reach(const VolumePlaces& volumes, const kube::Node& node);

// Why a pod cannot be bound to this node at this moment, in words; empty if it can: the node is
// going, not ready, cordoned, repels it, or has no room beside the pods that are there.
//
// Expects     `room` with what all pods hold that have not ended (NodeUsage::now).
std::optional<std::string> cannot_take_now(const kube::Pod& pod,
                                           const kube::Amounts& requests,
                                           const kube::Node& node,
                                           const NodeRoom& room);

}  // namespace workload
