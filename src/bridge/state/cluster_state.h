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

// What a process knows about both systems, shared by its roles: the pods and nodes of Kubernetes,
// the jobs and nodes of Slurm, and which of them belong together.
//
// Guarantees  a job that a pod names is followed in the mirror while that pod may need it, and no
//             longer; each listener receives the key of every pod whose own state or job changed,
//             and of every unbound pod once when the first list of nodes is complete.
// Does not    make decisions.
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
  // Pods of other schedulers, counted in usage(). Filled only in a process with the role scheduler.
  kube::Store<kube::ForeignPod>& foreign_pods() { return foreign_pods_; }
  const kube::Store<kube::ForeignPod>& foreign_pods() const { return foreign_pods_; }
  workload::NodeUsage& usage() { return usage_; }
  // A pod other than `besides` that names this volume claim and is bound or about to be bound.
  std::optional<kube::ObjectKey> user_of(const kube::ObjectKey& claim,
                                         const kube::Uid& besides) const;
  // Sets the pod's usage to what the pod store shows, for example after a bind that failed.
  void recount_usage(const kube::ObjectKey& key, const kube::Uid& uid);
  slurm::Mirror& mirror() { return mirror_; }
  const slurm::Mirror& mirror() const { return mirror_; }
  slurm::NodeMirror& slurm_nodes() { return slurm_nodes_; }
  const marks::NodeNames& names() const { return names_; }
  const workload::BridgeIdentity& bridge() const { return bridge_; }
  bool synced() const { return pods_.synced() && nodes_.synced(); }

  void on_pod(PodListener listener) { listeners_.push_back(std::move(listener)); }
  // Increases whenever nodes, or their usage by foreign pods, changed so that a pod that fitted no
  // node may fit one now.
  std::uint64_t node_generation() const {
    return node_generation_.value() + usage_.changes_without_ours();
  }
  void on_node_generation(std::function<void()> call) {
    generation_calls_.push_back(std::move(call));
  }

  // Whether the job was submitted for this pod, by its admin_comment; empty while that is unknown.
  std::optional<bool> is_job_of(slurm::JobId job, const kube::Pod& pod) const;
  // The live job with this pod's identity; of several, the one with the lowest id.
  std::optional<slurm::JobId> live_job_of(const kube::Pod& pod) const;
  // The Kubernetes node of a running job; of several nodes, the first.
  std::optional<kube::NodeName> node_of(const slurm::JobView* view) const;
  // Whether the pod's node is one of these; empty if `nodes` is empty, or if the pod's node is not
  // found and some of `nodes` have no Kubernetes name.
  std::optional<bool> is_among(const kube::Pod& pod,
                               const std::vector<slurm::SlurmNodeName>& nodes) const;
  // The pods that name the job and the pods in its identity.
  std::set<kube::ObjectKey> pods_of(slurm::JobId job) const;
  // The pods that name each job, without pods that do not need the job followed.
  const std::map<slurm::JobId, std::set<kube::ObjectKey>>& pods_by_job() const {
    return pods_by_job_;
  }
  // The Kubernetes node of a Slurm node; null if there is none, or if several claim the name.
  std::shared_ptr<const kube::Node> kubernetes_node(const slurm::SlurmNodeName& name) const;
  // The name of a Kubernetes node in Slurm; the same name if the node is not in nodes().
  slurm::SlurmNodeName slurm_name(const std::string& node) const;
  // The caller does not need this job any more. Stops following the job unless a pod names it.
  void done_with(slurm::JobId job);

 private:
  void pod_changed(const kube::ObjectKey& key, const kube::Pod* before, const kube::Pod* after);
  void job_changed(slurm::JobId job);
  template <class P>
  void count(const P* before, const P* after);
  void notify_listeners(const kube::ObjectKey& key) const;
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
      pods_by_job_;  // only pods that need the job followed
  // Jobs with our identity by the uids in it, and the reverse.
  std::map<kube::Uid, std::set<slurm::JobId>> jobs_by_uid_;
  std::map<slurm::JobId, std::vector<kube::Uid>> uids_by_job_;
  std::map<kube::Uid, kube::ObjectKey> keys_by_uid_;
  std::vector<PodListener> listeners_;
  NodeGeneration node_generation_;
  bool nodes_listed_ = false;
  std::vector<std::function<void()>> generation_calls_;
};

}  // namespace bridge::state
