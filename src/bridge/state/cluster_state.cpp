// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/cluster_state.h"

#include "base/rfc3339.h"
#include "bridge/marks/job_claim.h"
#include "bridge/marks/named_job.h"
#include "bridge/marks/pod_conditions.h"
#include "workload/finalizers.h"

#include <algorithm>
#include <utility>

namespace bridge::state {
namespace {

// The job that is followed for the pod. A pod that ended and was released needs none.
std::optional<slurm::JobId> followed_job(const kube::Pod* pod) {
  if (pod == nullptr) return std::nullopt;
  if (pod->ended() && !workload::has_bridge_finalizer(pod->metadata)) return std::nullopt;
  return marks::named_job(*pod);
}

// The claims of a pod never change.
std::vector<std::string> claims_of(const kube::Pod& pod) {
  return pod.claims();
}
const std::vector<std::string>& claims_of(const kube::ForeignPod& pod) {
  return pod.claims;
}

}  // namespace

ClusterState::ClusterState(slurm::Mirror& mirror,
                           slurm::NodeMirror& slurm_nodes,
                           workload::BridgeIdentity bridge)
    : mirror_(mirror), slurm_nodes_(slurm_nodes), bridge_(std::move(bridge)) {
  pods_.on_change([this](const kube::ObjectKey& key, const auto& before, const auto& after) {
    pod_changed(key, before.get(), after.get());
  });
  nodes_.on_change([this](const kube::ObjectKey&, const auto& before, const auto& after) {
    names_.update(before.get(), after.get());
    report_generation(node_generation_.changed(before.get(), after.get()));
  });
  nodes_.on_list([this] { first_node_list(); });
  slurm_nodes_.on_change([this](const slurm::SlurmNodeName& name) {
    report_generation(node_generation_.changed(name, slurm_nodes_.find(name)));
  });
  foreign_pods_.on_change([this](const kube::ObjectKey&, const auto& before, const auto& after) {
    const std::uint64_t changes = usage_.changes_without_ours();
    count(before.get(), after.get());
    report_generation(usage_.changes_without_ours() != changes);
  });
  mirror_.on_change([this](slurm::JobId job) { job_changed(job); });
}

// Before, no pod could be scheduled. Later node changes are reported by on_node_generation().
void ClusterState::first_node_list() {
  if (std::exchange(nodes_listed_, true) || !pods_.synced()) return;
  for (const auto& [key, pod] : pods_.objects()) {
    if (!pod->bound()) notify_listeners(key);
  }
}

void ClusterState::report_generation(bool changed) const {
  if (!changed) return;
  for (const auto& call : generation_calls_) call();
}

template <class P>
void ClusterState::count(const P* before, const P* after) {
  const bool same =
      before != nullptr && after != nullptr && before->metadata.uid == after->metadata.uid;
  if (before != nullptr && !same) {
    usage_.remove(before->metadata.uid);
    claim_users_.remove({before->metadata.key(), before->metadata.uid}, claims_of(*before));
  }
  if (after != nullptr) {
    usage_.set(after->metadata.uid, workload::occupant(*after));
    if (!same) claim_users_.add({after->metadata.key(), after->metadata.uid}, claims_of(*after));
  }
}

std::optional<kube::ObjectKey> ClusterState::user_of(const kube::ObjectKey& claim,
                                                     const kube::Uid& besides) const {
  for (const auto& [uid, pod] : claim_users_.of(claim)) {
    if (uid != besides && usage_.has(uid)) return pod;
  }
  return std::nullopt;
}

void ClusterState::recount_usage(const kube::ObjectKey& key, const kube::Uid& uid) {
  const auto pod = pods_.find(key);
  const bool here = pod && pod->metadata.uid == uid;
  usage_.set(uid, here ? workload::occupant(*pod) : std::nullopt);
}

void ClusterState::pod_changed(const kube::ObjectKey& key,
                               const kube::Pod* before,
                               const kube::Pod* after) {
  if (before != nullptr && (after == nullptr || before->metadata.uid != after->metadata.uid)) {
    keys_by_uid_.erase(before->metadata.uid);
  }
  if (after != nullptr) keys_by_uid_[after->metadata.uid] = key;
  count(before, after);

  const auto old_job = followed_job(before);
  const auto new_job = followed_job(after);
  if (new_job) {
    pods_by_job_[*new_job].insert(key);
    // The known state may be older than this pod and belong to another job with this id.
    const bool news = new_job != old_job && !is_job_of(*new_job, *after).value_or(false);
    news ? mirror_.track_from_now(*new_job) : mirror_.track(*new_job);
  }
  if (old_job && old_job != new_job) {
    auto& pods = pods_by_job_[*old_job];
    pods.erase(key);
    if (pods.empty()) {
      pods_by_job_.erase(*old_job);
      mirror_.forget(*old_job);
    } else {
      mirror_.track_from_now(*old_job);  // the known state may be that of this pod's job
    }
  }
  notify_listeners(key);
}

void ClusterState::job_changed(slurm::JobId job) {
  // Includes the pods that had this job before: after a crash of slurmctld the id may belong to the
  // job of another pod.
  std::set<kube::ObjectKey> concerned = pods_of(job);
  if (note_members(job)) concerned.merge(pods_of(job));
  for (const kube::ObjectKey& key : concerned) notify_listeners(key);
}

// Updates the uids in the job's identity. True if they changed.
bool ClusterState::note_members(slurm::JobId job) {
  std::vector<kube::Uid> now;
  const auto found = mirror_.ours().find(job);
  if (found != mirror_.ours().end()) {
    if (const auto identity = workload::read_identity(found->second.admin_comment)) {
      for (const workload::Member& member : identity->members) now.push_back(member.uid);
    }
  }
  const auto place = uids_by_job_.find(job);
  if (place == uids_by_job_.end() ? now.empty() : now == place->second) return false;
  if (place != uids_by_job_.end()) {
    for (const kube::Uid& uid : place->second) {
      const auto jobs = jobs_by_uid_.find(uid);
      if (jobs == jobs_by_uid_.end()) continue;  // the uid occurs twice in one identity
      jobs->second.erase(job);
      if (jobs->second.empty()) jobs_by_uid_.erase(jobs);
    }
    uids_by_job_.erase(place);
  }
  for (const kube::Uid& uid : now) jobs_by_uid_[uid].insert(job);
  if (!now.empty()) uids_by_job_.emplace(job, std::move(now));
  return true;
}

std::set<kube::ObjectKey> ClusterState::pods_of(slurm::JobId job) const {
  std::set<kube::ObjectKey> keys;
  if (const auto uids = uids_by_job_.find(job); uids != uids_by_job_.end()) {
    for (const kube::Uid& uid : uids->second) {
      if (const auto key = keys_by_uid_.find(uid); key != keys_by_uid_.end())
        keys.insert(key->second);
    }
  }
  if (const auto pods = pods_by_job_.find(job); pods != pods_by_job_.end()) {
    keys.insert(pods->second.begin(), pods->second.end());
  }
  return keys;
}

std::shared_ptr<const kube::Node> ClusterState::kubernetes_node(
    const slurm::SlurmNodeName& name) const {
  const auto found = names_.kubernetes_name(name);
  return found ? nodes_.find({"", found->value()}) : nullptr;
}

std::optional<bool> ClusterState::is_job_of(slurm::JobId job, const kube::Pod& pod) const {
  const std::string* comment = mirror_.comment_of(job);
  if (comment == nullptr) return std::nullopt;
  return bridge::marks::is_job_of(*comment, pod, bridge_);
}

std::optional<slurm::JobId> ClusterState::live_job_of(const kube::Pod& pod) const {
  const auto jobs = jobs_by_uid_.find(pod.metadata.uid);
  if (jobs == jobs_by_uid_.end()) return std::nullopt;
  for (const slurm::JobId job : jobs->second) {
    const auto found = mirror_.ours().find(job);
    if (found == mirror_.ours().end() || !slurm::is_live(found->second.state)) continue;
    if (bridge::marks::is_job_of(found->second.admin_comment, pod, bridge_)) return job;
  }
  return std::nullopt;
}

std::optional<kube::NodeName> ClusterState::node_of(const slurm::JobView* view) const {
  if (view == nullptr || !view->placed() || view->nodes.empty()) return std::nullopt;
  return names_.kubernetes_name(view->nodes.front());
}

std::optional<bool> ClusterState::is_among(const kube::Pod& pod,
                                           const std::vector<slurm::SlurmNodeName>& nodes) const {
  bool all_are_known = !nodes.empty();
  for (const slurm::SlurmNodeName& node : nodes) {
    const auto name = names_.kubernetes_name(node);
    if (name && name->value() == pod.spec.nodeName) return true;
    all_are_known &= name.has_value();
  }
  return all_are_known ? std::optional(false) : std::nullopt;
}

slurm::SlurmNodeName ClusterState::slurm_name(const std::string& node) const {
  const auto here = nodes_.find({"", node});
  return here ? bridge::marks::slurm_name(*here) : slurm::SlurmNodeName(node);
}

void ClusterState::done_with(slurm::JobId job) {
  pods_by_job_.contains(job) ? mirror_.track_from_now(job) : mirror_.forget(job);
}

void ClusterState::notify_listeners(const kube::ObjectKey& key) const {
  for (const PodListener& listener : listeners_) listener(key);
}

}  // namespace bridge::state
