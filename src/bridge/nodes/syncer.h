// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/nodes/sync.h"
#include "bridge/runtime/role_context.h"
#include "bridge/state/cluster_state.h"
#include "kube/cache/work_queue.h"
#include "slurm/mirror/node_mirror.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace bridge::nodes {

// The node part of the controllers role: executes what next_node_steps() decides, for each node by
// its name in Slurm.
//
// Guarantees  a node that changed in neither system costs no call; before a Slurm node is changed
//             it is read again in both systems, because Slurm has no conditional writes and our
//             watch may be behind: two instances do not undo each other's steps. If Kubernetes does
//             not answer, a node is still drained, and no other step is executed. At most `workers`
//             nodes are processed at a time.
class NodeSyncer {
 public:
  NodeSyncer(runtime::RoleContext context, state::ClusterState& cluster, std::size_t workers);

  void start();
  void stop() { queue_.stop(); }
  // The settings changed: every node is examined again.
  void look_at_all();
  // One of the two systems answers again.
  void retry_failed() { queue_.retry_failed(); }
  const NodeSlices& slices() const { return slices_; }
  // The number of deleted nodes that are remembered.
  std::size_t deletions_remembered() const { return deleted_.size(); }

 private:
  using Pointer = std::shared_ptr<const kube::Node>;
  using Outcome = net::Task<base::Result<void>>;

  // The Kubernetes node for this Slurm name. `clear` is false if there are several, or one that
  // cannot be decoded: then its absence proves nothing.
  struct DesiredNode {
    Pointer node;
    bool clear = true;
  };

  net::Task<kube::Requeue> reconcile(slurm::SlurmNodeName name);
  DesiredNode desired_state(const slurm::SlurmNodeName& name);
  // Reads the node from the API server into the store.
  Outcome look_at(Pointer node);
  NodeFacts facts_of(const slurm::SlurmNodeName& name, const kube::Node* node) const;
  // Deleted nodes that Slurm does not have need not be remembered.
  void forget_deleted();
  void node_changed(const kube::ObjectKey& key, const Pointer& before, const Pointer& after);
  void publish_reports(const slurm::SlurmNodeName& name,
                       const Pointer& node,
                       const NodeSteps& steps);

  // The node of a step: its name in Slurm, and the Kubernetes node.
  struct Target {
    slurm::SlurmNodeName name;
    Pointer node;  // null if Kubernetes has no such node
  };
  // Executes one step and reports it in the log and in an Event. One overload per type of step: a
  // new type does not compile before it is handled.
  Outcome execute(Target target, NodeStep step);
  Outcome execute_one(Target target, RegisterNode step);
  Outcome execute_one(Target target, MarkNode step);
  Outcome execute_one(Target target, ChangeFeatures step);
  Outcome execute_one(Target target, ChangeTopology step);
  Outcome execute_one(Target target, DrainNode step);
  Outcome execute_one(Target target, UndrainNode step);
  Outcome execute_one(Target target, RemoveNode step);
  Outcome execute_one(Target target, AddTaint step);
  Outcome execute_one(Target target, RemoveTaint step);
  Outcome execute_one(Target target, Cordon step);
  Outcome execute_one(Target target, Uncordon step);
  Outcome execute_one(Target target, NoteLifted step);
  Outcome execute_one(Target target, ForgetCordon step);
  Outcome execute_one(Target target, Report step);
  Outcome change(slurm::SlurmNodeName name, slurm::NodeChange change);
  Outcome patch(Pointer node, kube::PatchType type, json::Value body);
  Outcome check_partitions(std::vector<std::string> wanted);
  void note(const Pointer& node, std::string reason, std::string message);

  // A step that Slurm refused is not repeated for a while.
  struct Refusal {
    std::string asked;
    base::Instant until;
  };
  bool was_refused(const slurm::SlurmNodeName& name, const std::string& asked) const;
  kube::Requeue failed(const slurm::SlurmNodeName& name,
                       const Pointer& node,
                       const NodeStep& step,
                       const base::Error& error);

  runtime::RoleContext context_;
  state::ClusterState& cluster_;
  slurm::NodeMirror& nodes_;
  NodeSlices slices_;
  kube::WorkQueue<slurm::SlurmNodeName> queue_;
  std::map<kube::NodeName, base::Instant> ready_since_;
  // Kubernetes nodes whose deletion this process saw and that may have to be drained in Slurm.
  struct Deleted {
    kube::NodeName node;
    base::Instant at;
  };
  std::map<slurm::SlurmNodeName, Deleted> deleted_;
  std::map<slurm::SlurmNodeName, Refusal> refused_;
  std::map<slurm::SlurmNodeName, base::Instant> made_;  // created, and not seen in a list since
  std::map<slurm::SlurmNodeName, std::set<std::string>> reported_;
};

}  // namespace bridge::nodes
