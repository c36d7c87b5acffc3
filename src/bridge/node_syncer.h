// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/links.h"
#include "bridge/node_sync.h"
#include "bridge/picture.h"
#include "kube/work_queue.h"
#include "slurm/node_mirror.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace bridge {

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
  NodeSyncer(Links links, Picture& picture, std::size_t workers);

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
  struct Meant {
    Pointer node;
    bool clear = true;
  };

  net::Task<kube::Again> reconcile(slurm::SlurmNodeName name);
  Meant meant(const slurm::SlurmNodeName& name);
  // Takes in what the API server says of the node now.
  Outcome look_at(Pointer node);
  NodeFacts facts_of(const slurm::SlurmNodeName& name, const kube::Node* node) const;
  // Of those that Slurm does not have there is nothing to remember.
  void forget_deleted();
  void node_changed(const kube::ObjectKey& key, const Pointer& before, const Pointer& after);
  void tell_reports(const slurm::SlurmNodeName& name, const Pointer& node, const NodeSteps& steps);

  // Each says what it did, to people and to the log.
  Outcome carry_out(slurm::SlurmNodeName name, Pointer node, NodeStep step);
  Outcome make(Pointer node, RegisterNode step);
  Outcome change(slurm::SlurmNodeName name, slurm::NodeChange change);
  Outcome patch(Pointer node, kube::PatchType type, json::Value body);
  Outcome add_taint(Pointer node);
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

  Links links_;
  Picture& picture_;
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

}  // namespace bridge
