// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "bridge/config/config.h"
#include "bridge/nodes/registration.h"
#include "bridge/nodes/slices.h"
#include "kube/events/event_aggregator.h"
#include "slurm/api/model.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace bridge::nodes {

// How one node is kept in step, both ways: what Kubernetes cannot use is drained in Slurm, what
// Slurm does not use is cordoned in Kubernetes, and each of us takes back only what is his own:
// drains whose reason begins with kOurReason, cordons that we set (cordon.h).

inline constexpr std::string_view kOurReason = "slurm-bridge:";
// So long a node is Ready again before it gets work, and has other devices before it is removed for
// them: what flaps does not flap in Slurm.
inline constexpr auto kSteadyFor = std::chrono::seconds(10);
// So long a driver says nothing of its devices before the node is removed to be made without them:
// one that is restarted or brought up to date is away for minutes.
inline constexpr auto kSilentFor = std::chrono::minutes(5);

struct NodeFacts {
  slurm::SlurmNodeName name;           // in Slurm; need not exist there
  const kube::Node* kube = nullptr;    // the one Kubernetes node that is this node; may be none
  const slurm::Node* slurm = nullptr;  // nullptr: Slurm has no such node, by its own list
  std::string was_named;       // Kubernetes had this node, and it was deleted before our eyes
  base::Duration ready_for{};  // how long it has been Ready
  DeviceFacts devices;
  std::string cluster;         // ours, for marks
  std::string scheduler_name;  // the value of our taint
  config::NodeSettings options;
};

// --- what is to be done in Slurm ---
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
// --- in Kubernetes ---
struct AddTaint {};
struct RemoveTaint {};
struct Cordon {
  std::string reason;
};
struct Uncordon {};
// Somebody has lifted our cordon: a later one is his.
struct NoteLifted {
  std::string reason;  // Slurm's, for which the cordon was
};
// Somebody else has lifted our cordon meanwhile: only our note is left to be taken off.
struct ForgetCordon {};
// --- for people ---
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
  std::optional<base::Duration> look_again;  // nothing will tell us when this time has passed
};

// Guarantees  same facts, same steps; a drain is the first of them; nothing that the facts show as
//             done is asked for again, and steps that are carried out one after the other come to
//             an end. Nobody else's drain, cordon or taint is taken back. Only nodes that carry our
//             mark are removed, and only when nothing runs there.
// Does not    read a clock, do I/O or remember anything between two calls.
NodeSteps next_node_steps(const NodeFacts& facts);

// Why a Kubernetes node can take no work, as Slurm's users read it in `sinfo -R`; empty if it can.
std::optional<std::string> unusable(const kube::Node& node);

// The taint that keeps others away, as of SlinkyProject/slurm-bridge.
kube::Taint managed_taint(const std::string& scheduler_name);

}  // namespace bridge::nodes
