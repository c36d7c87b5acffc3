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

// The job that has to be followed for the pod's sake: a pod that ended and was let go needs none.
std::optional<slurm::JobId> followed_job(const kube::Pod* pod) {
  if (pod == nullptr) return std::nullopt;
  if (pod->ended() && !workload::has_bridge_finalizer(pod->metadata)) return std::nullopt;
  return marks::named_job(*pod);
}

// When the pod was bound, as the API server noted it. Empty if it is not.
std::optional<base::WallTime> bound_since(const kube::Pod& pod) {
  if (!pod.bound()) return std::nullopt;
  for (const kube::Condition& condition : pod.status.conditions) {
    if (condition.type != "PodScheduled" || condition.status != "True") continue;
    const auto since = base::parse_rfc3339(condition.lastTransitionTime);
    return since.ok() ? std::optional(*since) : std::nullopt;
  }
  return std::nullopt;
}

// What it holds can be lost.
bool runs(const kube::Pod& pod) {
  return pod.bound() && !pod.ended() && !pod.metadata.deleting();
}

// Before it was bound it was created.
std::optional<base::WallTime> bound_or_created(const kube::Pod& pod) {
  if (const auto bound = bound_since(pod)) return bound;
  const auto created = base::parse_rfc3339(pod.metadata.creationTimestamp);
  return created.ok() ? std::optional(*created) : std::nullopt;
}

// Times are to the second: one that was bound in the moment of a creation proves nothing.
base::WallTime older_than_pods_bound_after(base::WallTime bound,
                                           std::optional<base::WallTime> submitted) {
  const base::WallTime after = bound + base::WallTime::duration(1);
  return submitted ? std::max(*submitted, after) : after;
}

// Of a pod these never change.
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

// Nobody could schedule a pod before. Later changes of nodes are heard by on_node_generation().
void ClusterState::first_node_list() {
  if (std::exchange(nodes_listed_, true) || !pods_.synced()) return;
  for (const auto& [key, pod] : pods_.objects()) {
    if (!pod->bound()) tell(key);
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
    // What is known of the job may be older than this pod, and about another job of that id.
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
      mirror_.track_from_now(*old_job);  // what is known may have been about that pod's job
    }
  }
  tell(key);
}

void ClusterState::job_changed(slurm::JobId job) {
  // Also those hear whose job it was: after a crash of slurmctld the id may be another pod's.
  std::set<kube::ObjectKey> concerned = pods_of(job);
  if (note_members(job)) concerned.merge(pods_of(job));
  for (const kube::ObjectKey& key : concerned) tell(key);
}

// True if they are others than before.
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
      if (jobs == jobs_by_uid_.end()) continue;  // named twice in one identity
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

bool ClusterState::node_is_dead(const std::string& node) const {
  const auto found = nodes_.find({"", node});
  return nodes_.synced() && (!found || !found->ready());
}

bool ClusterState::is_unavailable_in_slurm(const slurm::SlurmNodeName& node) const {
  const slurm::Node* found = slurm_nodes_.find(node);
  return found == nullptr || found->draining() || found->has_state("DOWN");
}

bool ClusterState::is_unavailable_in_slurm(const std::string& node,
                                           const slurm::JobView* job) const {
  if (!slurm_nodes_.synced()) return false;
  const bool has_name = nodes_.find({"", node}) != nullptr;
  // One that does not run has no node.
  if (has_name || job == nullptr || !job_is_live(job).value_or(true) ||
      job->known(slurm::JobState::pending))
    return is_unavailable_in_slurm(slurm_name(node));
  // A job of several pods: the nodes that Kubernetes still has are those of the others.
  std::vector<slurm::SlurmNodeName> its_own;
  for (const slurm::SlurmNodeName& name : job->nodes) {
    if (!names_.kubernetes_name(name)) its_own.push_back(name);
  }
  if (its_own.empty()) its_own = job->nodes;
  return !its_own.empty() && std::ranges::all_of(its_own, [this](const auto& name) {
    return is_unavailable_in_slurm(name);
  });
}

void ClusterState::done_with(slurm::JobId job) {
  pods_by_job_.contains(job) ? mirror_.track_from_now(job) : mirror_.forget(job);
}

std::optional<OldJob> ClusterState::old_job(slurm::JobId id, base::Instant asked_since) const {
  const auto pods = pods_by_job_.find(id);
  const slurm::JobView* view = mirror_.find(id);
  const slurm::JobIdentityRecord* claim = mirror_.identity_record_of(id);
  if (pods == pods_by_job_.end() || view == nullptr || claim == nullptr) return std::nullopt;
  if (view->knowledge != slurm::JobView::Knowledge::known) return std::nullopt;
  if (view->as_of < asked_since || !claim->submit_time) return std::nullopt;
  std::optional<base::WallTime> bound;
  for (const kube::ObjectKey& key : pods->second) {
    const auto pod = pods_.find(key);
    const auto since = pod ? bound_since(*pod) : std::nullopt;
    if (!since || !is_job_of(id, *pod).value_or(false)) continue;
    bound = bound ? std::min(*bound, *since) : *since;
  }
  if (!bound) return std::nullopt;
  return OldJob{id, claim->as_of, older_than_pods_bound_after(*bound, claim->submit_time)};
}

const OldJobs& ClusterState::old_jobs(base::Instant asked_since) const {
  if (std::exchange(old_jobs_after_, mirror_.answers()) != mirror_.answers()) old_jobs_.clear();
  if (const auto here = old_jobs_.find(asked_since); here != old_jobs_.end()) return here->second;
  ++full_scans_;
  std::vector<OldJob> jobs;
  for (const auto& entry : pods_by_job_) {
    if (const auto job = old_job(entry.first, asked_since)) jobs.push_back(*job);
  }
  return old_jobs_.emplace(asked_since, OldJobs(std::move(jobs))).first->second;
}

// Slurm does not know it, or it is not this pod's.
bool ClusterState::is_lost(slurm::JobId job, const kube::Pod& pod) const {
  return is_unknown_to_slurm(mirror_.find(job)) || is_job_of(job, pod) == false;
}

base::Instant ClusterState::lost_since(slurm::JobId job) const {
  const slurm::JobView* view = mirror_.find(job);
  if (is_unknown_to_slurm(view)) return view->unknown_since;
  // When the id was first known to be another job's, however often that job was asked since.
  return mirror_.identity_known_since(job).value_or(view->as_of);
}

CohortJob ClusterState::cohort_job(slurm::JobId job,
                                   const kube::Pod& pod,
                                   base::Instant latest_loss) const {
  if (is_lost(job, pod)) return {CohortJob::Standing::lost};
  const slurm::JobView* view = mirror_.find(job);
  const slurm::JobIdentityRecord* said = mirror_.identity_record_of(job);
  const bool known = view->knowledge == slurm::JobView::Knowledge::known &&
                     view->as_of >= latest_loss && said != nullptr && said->as_of >= latest_loss &&
                     said->submit_time && is_job_of(job, pod).value_or(false);
  return {
      known ? CohortJob::Standing::known : CohortJob::Standing::open,
      older_than_pods_bound_after(*bound_or_created(pod), said ? said->submit_time : std::nullopt)};
}

const Cohort& ClusterState::cohort() const {
  const bool news = std::exchange(cohort_after_, mirror_.answers()) != mirror_.answers();
  if (cohort_ && !news) return *cohort_;
  ++full_scans_;
  std::map<slurm::JobId, std::vector<std::shared_ptr<const kube::Pod>>> running;
  for (const auto& [job, keys] : pods_by_job_) {
    for (const kube::ObjectKey& key : keys) {
      auto pod = pods_.find(key);
      if (mirror_.find(job) != nullptr && pod && runs(*pod) && bound_or_created(*pod))
        running[job].push_back(std::move(pod));
    }
  }
  base::Instant latest_loss = base::Instant::min();
  for (const auto& [job, pods] : running) {
    for (const auto& pod : pods) {
      if (is_lost(job, *pod)) latest_loss = std::max(latest_loss, lost_since(job));
    }
  }
  std::vector<CohortJob> jobs;
  for (const auto& [job, pods] : running) {
    std::vector<CohortJob> views;
    for (const auto& pod : pods) views.push_back(cohort_job(job, *pod, latest_loss));
    for (const CohortJob& one : counted_once(views)) jobs.push_back(one);
  }
  return cohort_.emplace(jobs);
}

StateLoss ClusterState::loss_for(const kube::Pod& pod) const {
  const auto bound = bound_or_created(pod);
  if (!runs(pod) || !bound) return StateLoss::isolated;
  return marks::shows_loss(pod) ? StateLoss::widespread : cohort().loss(*bound);
}

LossEvidence ClusterState::around(const kube::Pod& pod) const {
  return {older_job(pod), loss_for(pod)};
}

std::optional<slurm::JobId> ClusterState::older_job(const kube::Pod& pod) const {
  const auto job = marks::named_job(pod);
  const slurm::JobView* mine = job ? mirror_.find(*job) : nullptr;
  // The job is younger than its pod, and so is everything that happened to it.
  const std::string& since = pod.metadata.creationTimestamp;
  if (mine == nullptr || since.empty()) return std::nullopt;
  if (!is_unknown_to_slurm(mine) && !mirror_.identity_known_since(*job)) return std::nullopt;
  const auto created_at = base::parse_rfc3339(since);
  if (!created_at.ok()) return std::nullopt;
  // Another one must have been asked in the same breath as this one; must have said whose it is
  // since we know that this one is gone, not before; and must be as old by Slurm's own word.
  const base::Instant gone_since = lost_since(*job);
  const OldJob* oldest = old_jobs(mine->as_of).oldest(gone_since, *job);
  if (oldest == nullptr) return std::nullopt;
  // It was found a moment ago: what counts is what is so now.
  const auto now = old_job(oldest->id, mine->as_of);
  const bool proves =
      now && now->said_at >= gone_since && now->older_than_pods_bound_after <= *created_at;
  return proves ? std::optional(now->id) : std::nullopt;
}

bool ClusterState::job_id_was_reused(slurm::JobId job,
                                     const kube::Pod& pod,
                                     const std::optional<std::string>& job_name) const {
  const std::string* comment = mirror_.comment_of(job);
  if (comment == nullptr || bridge::marks::is_job_of(*comment, pod, bridge_)) return false;
  // An identity speaks for itself. Without one somebody may have overwritten the comment; that he
  // renamed the job as well is not to be expected.
  if (workload::read_identity(*comment)) return true;
  const slurm::JobIdentityRecord* claim = mirror_.identity_record_of(job);
  return job_name && claim != nullptr && claim->name != *job_name;
}

void ClusterState::tell(const kube::ObjectKey& key) const {
  for (const PodListener& listener : listeners_) listener(key);
}

}  // namespace bridge::state
