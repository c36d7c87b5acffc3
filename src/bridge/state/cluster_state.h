// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/marks/node_names.h"
#include "bridge/state/claim_users.h"
#include "bridge/state/node_generation.h"
#include "kube/api/foreign_pod.h"
#include "kube/api/node.h"
#include "kube/api/pod.h"
#include "kube/cache/store.h"
#include "slurm/mirror/mirror.h"
#include "slurm/mirror/node_mirror.h"
#include "workload/identity.h"
#include "workload/node_usage.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace bridge::state {

// What the roles of one process know, shared by all of them: the pods and nodes of Kubernetes, the
// jobs of Slurm, and which belongs to which. It decides nothing.
//
// Guarantees  every job that a pod names is followed in the mirror while that pod may need it, and
//             no longer; whoever listens hears the key of each pod whose own state or job changed,
//             and of each unbound pod once when the first list of nodes is complete.
class ClusterState {
 public:
  using PodListener = std::function<void(const kube::ObjectKey&)>;

  ClusterState(slurm::Mirror& mirror,
               slurm::NodeMirror& slurm_nodes,
               workload::BridgeIdentity bridge);
  ClusterState(const ClusterState&) = delete;
  ClusterState& operator=(const ClusterState&) = delete;

  kube::Store<kube::Pod>& pods() { return pods_; }
  kube::Store<kube::Node>& nodes() { return nodes_; }
  // What takes room on the nodes and is not ours. Filled only where somebody places pods.
  kube::Store<kube::ForeignPod>& foreign_pods() { return foreign_pods_; }
  const kube::Store<kube::ForeignPod>& foreign_pods() const { return foreign_pods_; }
  workload::NodeUsage& usage() { return usage_; }
  // A pod on a node, or about to be bound to one, that uses this volume claim; not that one.
  std::optional<kube::ObjectKey> user_of(const kube::ObjectKey& claim,
                                         const kube::Uid& besides) const;
  // What the pod takes of a node is again what the API server shows.
  void recount_usage(const kube::ObjectKey& key, const kube::Uid& uid);
  slurm::Mirror& mirror() { return mirror_; }
  const slurm::Mirror& mirror() const { return mirror_; }
  slurm::NodeMirror& slurm_nodes() { return slurm_nodes_; }
  const marks::NodeNames& names() const { return names_; }
  const workload::BridgeIdentity& bridge() const { return bridge_; }
  bool synced() const { return pods_.synced() && nodes_.synced(); }

  void on_pod(PodListener listener) { listeners_.push_back(std::move(listener)); }
  // Grows whenever nodes, or what pods of others take of them, changed so that a pod which fitted
  // no node may fit one now.
  std::uint64_t node_generation() const {
    return node_generation_.value() + usage_.changes_without_ours();
  }
  void on_node_generation(std::function<void()> call) {
    generation_calls_.push_back(std::move(call));
  }

  // Whether the job says that it is this pod's; empty while nobody has looked.
  std::optional<bool> is_job_of(slurm::JobId job, const kube::Pod& pod) const;
  // The oldest live job that says it is this pod's.
  std::optional<slurm::JobId> live_job_of(const kube::Pod& pod) const;
  // The Kubernetes node of a running job; the first one, if somebody asked Slurm for several.
  std::optional<kube::NodeName> node_of(const slurm::JobView* view) const;
  // Whether the node that the pod is bound to is one of these; empty if that cannot be told.
  std::optional<bool> is_among(const kube::Pod& pod,
                               const std::vector<slurm::SlurmNodeName>& nodes) const;
  // The pods of a job that name it, and those for which it was made.
  std::set<kube::ObjectKey> pods_of(slurm::JobId job) const;
  // The pods that name each job, as far as the job has to be followed for them.
  const std::map<slurm::JobId, std::set<kube::ObjectKey>>& pods_by_job() const {
    return pods_by_job_;
  }
  // The Kubernetes node of that Slurm node; null if there is none, or if nobody can tell which.
  std::shared_ptr<const kube::Node> kubernetes_node(const slurm::SlurmNodeName& name) const;
  // What Slurm calls a Kubernetes node, as far as we can tell.
  slurm::SlurmNodeName slurm_name(const std::string& node) const;
  // We have no more interest in this job ourselves; a pod may still name it.
  void done_with(slurm::JobId job);

 private:
  void pod_changed(const kube::ObjectKey& key, const kube::Pod* before, const kube::Pod* after);
  void job_changed(slurm::JobId job);
  template <class P>
  void count(const P* before, const P* after);
  void tell(const kube::ObjectKey& key) const;
  void first_node_list();
  void report_generation(bool changed) const;
  bool note_members(slurm::JobId job);

  slurm::Mirror& mirror_;
  slurm::NodeMirror& slurm_nodes_;
  workload::BridgeIdentity bridge_;
  kube::Store<kube::Pod> pods_;
  kube::Store<kube::Node> nodes_;
  kube::Store<kube::ForeignPod> foreign_pods_;
  workload::NodeUsage usage_;
  ClaimUsers claim_users_;
  marks::NodeNames names_;
  std::map<slurm::JobId, std::set<kube::ObjectKey>>
      pods_by_job_;  // of pods that need the job followed
  // Jobs that carry our identity, by the uids in it, both ways.
  std::map<kube::Uid, std::set<slurm::JobId>> jobs_by_uid_;
  std::map<slurm::JobId, std::vector<kube::Uid>> uids_by_job_;
  std::map<kube::Uid, kube::ObjectKey> keys_by_uid_;
  std::vector<PodListener> listeners_;
  NodeGeneration node_generation_;
  bool nodes_listed_ = false;
  std::vector<std::function<void()>> generation_calls_;
};

}  // namespace bridge::state
