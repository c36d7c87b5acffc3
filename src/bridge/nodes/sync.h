// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "bridge/config/config.h"
#include "bridge/nodes/registration.h"
#include "bridge/nodes/slices.h"
#include "bridge/nodes/timing.h"
#include "kube/events/event_aggregator.h"
#include "slurm/api/model.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace bridge::nodes {

// Synchronises one node in both directions: a node that Kubernetes cannot use is drained in Slurm,
// a node that Slurm does not use is cordoned in Kubernetes. We remove only what is ours: drains
// whose reason begins with kOurReason, cordons that we set (cordon.h).

inline constexpr std::string_view kOurReason = "slurm-bridge:";

struct NodeFacts {
  slurm::SlurmNodeName name;           // in Slurm; need not exist there
  const kube::Node* kube = nullptr;    // the Kubernetes node for this node; may be none
  const slurm::Node* slurm = nullptr;  // nullptr: not in Slurm's node list
  // The name of the Kubernetes node that this process saw being deleted.
  std::string was_named;
  base::Duration ready_for{};  // how long it has been Ready
  DeviceFacts devices;
  std::string cluster;         // ours, for marks
  std::string scheduler_name;  // the value of our taint
  config::NodeSettings options;
};

// --- steps in Slurm ---
struct RegisterNode {
  Registration wanted;
};
struct MarkNode {
  NodeMark mark;
};
struct ChangeFeatures {
  std::vector<std::string> features;
};
struct ChangeTopology {
  std::string topology;
};
struct DrainNode {
  std::string reason;
};
struct UndrainNode {};
struct RemoveNode {};
// --- steps in Kubernetes ---
struct AddTaint {};
struct RemoveTaint {};
struct Cordon {
  std::string reason;
};
struct Uncordon {};
// An administrator removed our cordon; a later cordon is theirs.
struct NoteLifted {
  std::string reason;  // Slurm's reason for the former cordon
};
// An administrator removed our cordon meanwhile: only our annotation must be removed.
struct ForgetCordon {};
// --- reports ---
struct Report {
  kube::Severity severity = kube::Severity::warning;
  std::string reason;
  std::string message;
};

using NodeStep = std::variant<RegisterNode,
                              MarkNode,
                              ChangeFeatures,
                              ChangeTopology,
                              DrainNode,
                              UndrainNode,
                              RemoveNode,
                              AddTaint,
                              RemoveTaint,
                              Cordon,
                              Uncordon,
                              NoteLifted,
                              ForgetCordon,
                              Report>;

struct NodeSteps {
  std::vector<NodeStep> steps;
  std::optional<base::Duration> look_again;  // no event announces the end of this time
};

// Guarantees  equal facts give equal steps; a drain comes first; a step that the facts show as done
//             is not repeated, and executing the steps one after the other terminates. Drains,
//             cordons and taints of others are never removed. Only nodes with our mark are removed,
//             and only when no job runs there.
// Does not    read a clock, do I/O or keep state between two calls.
NodeSteps next_node_steps(const NodeFacts& facts);

// Why a Kubernetes node cannot run pods, as shown by `sinfo -R`; empty if it can.
std::optional<std::string> unusable(const kube::Node& node);

// The taint that keeps foreign pods away, as in SlinkyProject/slurm-bridge.
kube::Taint managed_taint(const std::string& scheduler_name);

}  // namespace bridge::nodes
