// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/scheduling/placement_key.h"
#include "bridge/state/cluster_state.h"
#include "net/async/signal.h"
#include "net/async/task.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace bridge::scheduling {

// The nodes that can never run the pods of one PlacementKey.
struct NodeVerdict {
  // For the job's excluded_nodes. Empty if fits_none: no job is submitted then.
  std::vector<slurm::SlurmNodeName> excluded;
  bool fits_none = false;
  std::string why;  // reasons of fits_none, for the user
};

// Evaluates the nodes once for all pods with the same PlacementKey, and again only after a relevant
// change of the nodes (ClusterState::node_generation).
//
// Expects     loop and cluster state that outlive this object; run() as a task of a group.
// Guarantees  a pod that fits no node is not evaluated again until the nodes change; the loop is
//             not blocked for longer than the evaluation of kNodesAtOnce nodes; bounded memory.
// Does not    do I/O: the places of the volumes are part of the request.
class NodeVerdicts {
 public:
  using Verdict = std::shared_ptr<const NodeVerdict>;

  static constexpr std::size_t kNodesAtOnce = 128;

  NodeVerdicts(net::Loop& loop, state::ClusterState& cluster);

  // The verdict for the current nodes. A pod that fits no node is remembered until the next call
  // for the same pod, forget(), or on_fit. The only error is Kind::cancelled.
  net::Task<base::Result<Verdict>> of(PlacementRequest request);
  void forget(const kube::ObjectKey& pod);

  // `call` runs once for each remembered pod when a node may be able to run the pod.
  void on_fit(std::function<void(const kube::ObjectKey&)> call) { on_fit_ = std::move(call); }
  // Repeats the evaluation for pods that fit no node, after changes of the nodes, until cancelled.
  net::Task<void> run();

  // Number of evaluations of all nodes for one request.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  struct Entry {
    PlacementRequest request;
    Verdict verdict;
    std::uint64_t generation = 0;       // of the nodes, when the evaluation began
    std::set<kube::ObjectKey> waiting;  // pods that fit no node
  };

  net::Task<base::Result<Verdict>> current(PlacementKey key, PlacementRequest request);
  net::Task<base::Result<Verdict>> evaluate(PlacementKey key, PlacementRequest request);
  net::Task<base::Result<NodeVerdict>> evaluate_nodes(PlacementRequest request);
  net::Task<base::Result<std::size_t>> look_again();
  void remember(const kube::ObjectKey& pod, const PlacementKey& key);
  void report_fit(const PlacementKey& key);
  void make_room();

  net::Loop& loop_;
  state::ClusterState& cluster_;
  std::map<PlacementKey, Entry> entries_;
  std::map<PlacementKey, std::shared_ptr<net::Signal>> under_way_;  // notified at the end
  std::map<kube::ObjectKey, PlacementKey> waits_;                   // by Entry::waiting
  net::Signal nodes_changed_;
  std::function<void(const kube::ObjectKey&)> on_fit_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace bridge::scheduling
