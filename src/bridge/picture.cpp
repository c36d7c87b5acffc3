// SPDX-License-Identifier: Apache-2.0
#include "bridge/picture.h"

#include "base/rfc3339.h"
#include "bridge/job_claim.h"
#include "bridge/named_job.h"
#include "workload/wellknown.h"

#include <algorithm>
#include <utility>

namespace bridge {
namespace {

// The job that has to be followed for the pod's sake: a pod that ended and was let go needs none.
std::optional<slurm::JobId> followed_job(const kube::Pod* pod) {
  if (pod == nullptr) return std::nullopt;
  if (pod->ended() && !pod->metadata.has_finalizer(workload::kFinalizer)) return std::nullopt;
  return named_job(*pod);
}

// When the pod was bound, as the API server noted it: comparable as text. Empty if it is not.
std::string bound_since(const kube::Pod& pod) {
  if (!pod.bound()) return "";
  for (const kube::Condition& condition : pod.status.conditions) {
    if (condition.type == "PodScheduled" && condition.status == "True")
      return condition.lastTransitionTime;
  }
  return "";
}

}  // namespace

Picture::Picture(slurm::Mirror& mirror, slurm::NodeMirror& slurm_nodes, workload::Bridge bridge)
    : mirror_(mirror), slurm_nodes_(slurm_nodes), bridge_(std::move(bridge)) {
  pods_.on_change([this](const kube::ObjectKey& key, const auto& before, const auto& after) {
    pod_changed(key, before.get(), after.get());
  });
  nodes_.on_change([this](const kube::ObjectKey&, const auto& before, const auto& after) {
    names_.update(before.get(), after.get());
    // Only a node that appears can end anybody's wait.
    if (before != nullptr || !pods_.synced()) return;
    for (const auto& [key, pod] : pods_.objects()) {
      if (!pod->bound()) tell(key);
    }
  });
  foreign_pods_.on_change([this](const kube::ObjectKey&, const auto& before, const auto& after) {
    count(before.get(), after.get());
  });
  mirror_.on_change([this](slurm::JobId job) { job_changed(job); });
}

template <class P>
void Picture::count(const P* before, const P* after) {
  if (before != nullptr && (after == nullptr || before->metadata.uid != after->metadata.uid))
    usage_.remove(before->metadata.uid);
  if (after != nullptr) usage_.set(after->metadata.uid, workload::occupant(*after));
}

void Picture::count_anew(const kube::ObjectKey& key, const kube::Uid& uid) {
  const auto pod = pods_.find(key);
  const bool here = pod && pod->metadata.uid == uid;
  usage_.set(uid, here ? workload::occupant(*pod) : std::nullopt);
}

void Picture::pod_changed(const kube::ObjectKey& key,
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
    news ? mirror_.track_anew(*new_job) : mirror_.track(*new_job);
  }
  if (old_job && old_job != new_job) {
    auto& pods = pods_by_job_[*old_job];
    pods.erase(key);
    if (pods.empty()) {
      pods_by_job_.erase(*old_job);
      mirror_.forget(*old_job);
    } else {
      mirror_.track_anew(*old_job);  // what is known may have been about that pod's job
    }
  }
  tell(key);
}

void Picture::job_changed(slurm::JobId job) {
  const auto found = mirror_.ours().find(job);
  if (found == mirror_.ours().end()) {
    for (const kube::Uid& uid : std::exchange(uids_by_job_[job], {})) {
      jobs_by_uid_[uid].erase(job);
      if (jobs_by_uid_[uid].empty()) jobs_by_uid_.erase(uid);
    }
    uids_by_job_.erase(job);
  } else if (!uids_by_job_.contains(job)) {
    if (const auto identity = workload::read_identity(found->second.admin_comment)) {
      for (const workload::Member& member : identity->members) {
        uids_by_job_[job].push_back(member.uid);
        jobs_by_uid_[member.uid].insert(job);
      }
    }
  }
  tell_members(job);
}

void Picture::tell_members(slurm::JobId job) const {
  for (const kube::ObjectKey& key : pods_of(job)) tell(key);
}

std::set<kube::ObjectKey> Picture::pods_of(slurm::JobId job) const {
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

std::shared_ptr<const kube::Node> Picture::kubernetes_node(const slurm::SlurmNodeName& name) const {
  const auto found = names_.kubernetes_name(name);
  return found ? nodes_.find({"", found->value()}) : nullptr;
}

std::optional<bool> Picture::is_job_of(slurm::JobId job, const kube::Pod& pod) const {
  const std::string* comment = mirror_.comment_of(job);
  if (comment == nullptr) return std::nullopt;
  return bridge::is_job_of(*comment, pod, bridge_);
}

std::optional<slurm::JobId> Picture::live_job_of(const kube::Pod& pod) const {
  const auto jobs = jobs_by_uid_.find(pod.metadata.uid);
  if (jobs == jobs_by_uid_.end()) return std::nullopt;
  for (const slurm::JobId job : jobs->second) {
    const auto found = mirror_.ours().find(job);
    if (found == mirror_.ours().end() || !slurm::is_live(found->second.state)) continue;
    if (bridge::is_job_of(found->second.admin_comment, pod, bridge_)) return job;
  }
  return std::nullopt;
}

std::optional<kube::NodeName> Picture::node_of(const slurm::JobView* view) const {
  if (view == nullptr || !view->placed() || view->nodes.size() != 1) return std::nullopt;
  return names_.kubernetes_name(view->nodes.front());
}

std::optional<bool> Picture::is_among(const kube::Pod& pod,
                                      const std::vector<slurm::SlurmNodeName>& nodes) const {
  bool all_are_known = !nodes.empty();
  for (const slurm::SlurmNodeName& node : nodes) {
    const auto name = names_.kubernetes_name(node);
    if (name && name->value() == pod.spec.nodeName) return true;
    all_are_known &= name.has_value();
  }
  return all_are_known ? std::optional(false) : std::nullopt;
}

slurm::SlurmNodeName Picture::slurm_name(const std::string& node) const {
  const auto here = nodes_.find({"", node});
  return here ? bridge::slurm_name(*here) : slurm::SlurmNodeName(node);
}

bool Picture::node_is_dead(const std::string& node) const {
  const auto found = nodes_.find({"", node});
  return nodes_.synced() && (!found || !found->ready());
}

bool Picture::slurm_spares(const std::string& node) const {
  if (!slurm_nodes_.synced()) return false;
  const slurm::Node* found = slurm_nodes_.find(slurm_name(node));
  return found == nullptr || found->draining() || found->has_state("DOWN");
}

void Picture::done_with(slurm::JobId job) {
  pods_by_job_.contains(job) ? mirror_.track_anew(job) : mirror_.forget(job);
}

Surroundings Picture::around(const kube::Pod& pod) const {
  const auto job = named_job(pod);
  const slurm::JobView* mine = job ? mirror_.find(*job) : nullptr;
  // The job is younger than its pod, and so is everything that happened to it.
  const std::string& since = pod.metadata.creationTimestamp;
  if (mine == nullptr || since.empty()) return {};
  const slurm::Claim* said = mirror_.claim_of(*job);
  if (!unknown(mine) && said == nullptr) return {};
  const auto created_at = base::parse_rfc3339(since);
  if (!created_at.ok()) return {};
  const base::Instant gone_since = unknown(mine) ? mine->unknown_since : said->as_of;
  for (const auto& [id, keys] : pods_by_job_) {
    const slurm::JobView* view = mirror_.find(id);
    if (id == *job || view == nullptr || view->knowledge != slurm::JobView::Knowledge::known)
      continue;
    if (view->as_of < mine->as_of) continue;  // it was not asked in the same breath
    // It must have said whose it is since we know that this one is gone, not before.
    const slurm::Claim* claim = mirror_.claim_of(id);
    if (claim == nullptr || claim->as_of < gone_since) continue;
    // And it must be as old by Slurm's own word.
    if (!claim->submit_time || *claim->submit_time > *created_at) continue;
    const bool older = std::ranges::any_of(keys, [&](const kube::ObjectKey& key) {
      const auto other = pods_.find(key);
      if (!other || !is_job_of(id, *other).value_or(false)) return false;
      const std::string others = bound_since(*other);
      return !others.empty() && others < since;  // to the second: a tie proves nothing
    });
    if (older) return {true};
  }
  return {};
}

bool Picture::is_anothers(slurm::JobId job,
                          const kube::Pod& pod,
                          const std::string& job_name) const {
  const std::string* comment = mirror_.comment_of(job);
  if (comment == nullptr || bridge::is_job_of(*comment, pod, bridge_)) return false;
  // An identity speaks for itself. Without one somebody may have overwritten the comment; that he
  // renamed the job as well is not to be expected.
  if (workload::read_identity(*comment)) return true;
  const slurm::Claim* claim = mirror_.claim_of(job);
  return claim != nullptr && claim->name != job_name;
}

void Picture::tell(const kube::ObjectKey& key) const {
  for (const PodListener& listener : listeners_) listener(key);
}

}  // namespace bridge
