// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/nodes/sync.h"
#include "bridge/runtime/links.h"
#include "bridge/state/picture.h"
#include "kube/cache/work_queue.h"
#include "slurm/mirror/node_mirror.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace bridge::nodes {

// The node half of the controllers role: carries out what next_node_steps() decides, for each node
// by its name in Slurm.
//
// Guarantees  a node that neither system changed costs no call; before a Slurm node is changed it
//             is read once more in both systems, because Slurm has no conditional writes and our
//             watch may be behind: two of us do not undo each other's steps. Where Kubernetes does
//             not answer, a node is still drained, and nothing else is done. At most `workers`
//             nodes are worked on at a time.
class NodeSyncer {
 public:
  NodeSyncer(runtime::Links links, state::Picture& picture, std::size_t workers);

  void start();
  void stop() { queue_.stop(); }
  // What it may do has changed.
  void look_at_all();
  // One of the two systems answers again.
  void retry_failed() { queue_.retry_failed(); }
  const NodeSlices& slices() const { return slices_; }
  // How many deleted nodes it remembers.
  std::size_t deletions_remembered() const { return deleted_.size(); }

 private:
  using Pointer = std::shared_ptr<const kube::Node>;
  using Outcome = net::Task<base::Result<void>>;

  // The one node of Kubernetes' that is meant. Not `clear` if several are, or one that we cannot
  // read: then nothing may be concluded from its absence.
  struct DesiredNode {
    Pointer node;
    bool clear = true;
  };

  net::Task<kube::Again> reconcile(slurm::SlurmNodeName name);
  DesiredNode desired_state(const slurm::SlurmNodeName& name);
  // Takes in what the API server says of the node now.
  Outcome look_at(Pointer node);
  NodeFacts facts_of(const slurm::SlurmNodeName& name, const kube::Node* node) const;
  // Of those that Slurm does not have there is nothing to remember.
  void forget_deleted();
  void node_changed(const kube::ObjectKey& key, const Pointer& before, const Pointer& after);
  void tell_reports(const slurm::SlurmNodeName& name, const Pointer& node, const NodeSteps& steps);

  // The node that a step is about: its name in Slurm, and what Kubernetes knows of it.
  struct Target {
    slurm::SlurmNodeName name;
    Pointer node;  // null if Kubernetes has no such node
  };
  // Executes one step and reports it in the log and in an Event. One overload per kind of step: a
  // new kind does not compile before it is handled.
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

  // What Slurm has refused is not asked for again for a while.
  struct Refusal {
    std::string asked;
    base::Instant until;
  };
  bool was_refused(const slurm::SlurmNodeName& name, const std::string& asked) const;
  kube::Again failed(const slurm::SlurmNodeName& name,
                     const Pointer& node,
                     const NodeStep& step,
                     const base::Error& error);

  runtime::Links links_;
  state::Picture& picture_;
  slurm::NodeMirror& nodes_;
  NodeSlices slices_;
  kube::WorkQueue<slurm::SlurmNodeName> queue_;
  std::map<kube::NodeName, base::Instant> ready_since_;
  // Nodes of Kubernetes' that were deleted before our eyes and may have to be drained in Slurm.
  struct Deleted {
    kube::NodeName node;
    base::Instant at;
  };
  std::map<slurm::SlurmNodeName, Deleted> deleted_;
  std::map<slurm::SlurmNodeName, Refusal> refused_;
  std::map<slurm::SlurmNodeName, base::Instant> made_;  // and not looked at since
  std::map<slurm::SlurmNodeName, std::set<std::string>> reported_;
};

}  // namespace bridge::nodes
