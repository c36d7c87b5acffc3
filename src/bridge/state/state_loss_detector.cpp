// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/state_loss_detector.h"

#include "base/rfc3339.h"
#include "bridge/marks/named_job.h"
#include "bridge/marks/pod_conditions.h"

#include <algorithm>
#include <utility>

namespace bridge::state {
namespace {

// When the pod was bound, by its condition PodScheduled. Empty if not bound or not recorded.
std::optional<base::WallTime> bound_since(const kube::Pod& pod) {
  if (!pod.bound()) return std::nullopt;
  for (const kube::Condition& condition : pod.status.conditions) {
    if (condition.type != "PodScheduled" || condition.status != "True") continue;
    const auto since = base::parse_rfc3339(condition.lastTransitionTime);
    return since.ok() ? std::optional(*since) : std::nullopt;
  }
  return std::nullopt;
}

// The pod counts in the cohort.
bool runs(const kube::Pod& pod) {
  return pod.bound() && !pod.ended() && !pod.metadata.deleting();
}

// Without the time of binding, the earlier time of creation.
std::optional<base::WallTime> bound_or_created(const kube::Pod& pod) {
  if (const auto bound = bound_since(pod)) return bound;
  const auto created = base::parse_rfc3339(pod.metadata.creationTimestamp);
  return created.ok() ? std::optional(*created) : std::nullopt;
}

// Times have a resolution of one second: a pod that was bound in the second of another pod's
// creation is no proof.
base::WallTime older_than_pods_bound_after(base::WallTime bound,
                                           std::optional<base::WallTime> submitted) {
  const base::WallTime after = bound + base::WallTime::duration(1);
  return submitted ? std::max(*submitted, after) : after;
}

}  // namespace

// The job is unknown to Slurm, or the job with this id was not submitted for this pod.
bool StateLossDetector::is_lost(slurm::JobId job, const kube::Pod& pod) const {
  return is_unknown_to_slurm(cluster_.mirror().find(job)) || cluster_.is_job_of(job, pod) == false;
}

base::Instant StateLossDetector::lost_since(slurm::JobId job) const {
  const slurm::JobView* view = cluster_.mirror().find(job);
  if (is_unknown_to_slurm(view)) return view->unknown_since;
  // When the identity of the other job with this id was first read; later reads do not change it.
  return cluster_.mirror().identity_known_since(job).value_or(view->as_of);
}

std::optional<OldJob> StateLossDetector::old_job(slurm::JobId id, base::Instant asked_since) const {
  const auto pods = cluster_.pods_by_job().find(id);
  const slurm::JobView* view = cluster_.mirror().find(id);
  const slurm::JobIdentityRecord* claim = cluster_.mirror().identity_record_of(id);
  if (pods == cluster_.pods_by_job().end() || view == nullptr || claim == nullptr)
    return std::nullopt;
  if (view->knowledge != slurm::JobView::Knowledge::known) return std::nullopt;
  if (view->as_of < asked_since || !claim->submit_time) return std::nullopt;
  std::optional<base::WallTime> bound;
  for (const kube::ObjectKey& key : pods->second) {
    const auto pod = cluster_.pods().find(key);
    const auto since = pod ? bound_since(*pod) : std::nullopt;
    if (!since || !cluster_.is_job_of(id, *pod).value_or(false)) continue;
    bound = bound ? std::min(*bound, *since) : *since;
  }
  if (!bound) return std::nullopt;
  return OldJob{id, claim->as_of, older_than_pods_bound_after(*bound, claim->submit_time)};
}

const OldJobs& StateLossDetector::old_jobs(base::Instant asked_since) const {
  if (std::exchange(old_jobs_after_, cluster_.mirror().answers()) != cluster_.mirror().answers())
    old_jobs_.clear();
  if (const auto here = old_jobs_.find(asked_since); here != old_jobs_.end()) return here->second;
  ++full_scans_;
  std::vector<OldJob> jobs;
  for (const auto& entry : cluster_.pods_by_job()) {
    if (const auto job = old_job(entry.first, asked_since)) jobs.push_back(*job);
  }
  return old_jobs_.emplace(asked_since, OldJobs(std::move(jobs))).first->second;
}

std::optional<slurm::JobId> StateLossDetector::older_job(const kube::Pod& pod) const {
  const auto job = marks::named_job(pod);
  const slurm::JobView* mine = job ? cluster_.mirror().find(*job) : nullptr;
  // The job was submitted after its pod was created.
  const std::string& since = pod.metadata.creationTimestamp;
  if (mine == nullptr || since.empty()) return std::nullopt;
  if (!is_unknown_to_slurm(mine) && !cluster_.mirror().identity_known_since(*job))
    return std::nullopt;
  const auto created_at = base::parse_rfc3339(since);
  if (!created_at.ok()) return std::nullopt;
  // A witness must have been polled no earlier than this job; its identity must have been read
  // after this job was known to be lost; and it must be old enough by Slurm's submit time.
  const base::Instant gone_since = lost_since(*job);
  const OldJob* oldest = old_jobs(mine->as_of).oldest(gone_since, *job);
  if (oldest == nullptr) return std::nullopt;
  // old_jobs() may be outdated: check the witness again.
  const auto now = old_job(oldest->id, mine->as_of);
  const bool proves =
      now && now->read_at >= gone_since && now->older_than_pods_bound_after <= *created_at;
  return proves ? std::optional(now->id) : std::nullopt;
}

CohortJob StateLossDetector::cohort_job(slurm::JobId job,
                                        const kube::Pod& pod,
                                        base::Instant latest_loss) const {
  if (is_lost(job, pod)) return {CohortJob::Standing::lost};
  const slurm::JobView* view = cluster_.mirror().find(job);
  const slurm::JobIdentityRecord* said = cluster_.mirror().identity_record_of(job);
  const bool known = view->knowledge == slurm::JobView::Knowledge::known &&
                     view->as_of >= latest_loss && said != nullptr && said->as_of >= latest_loss &&
                     said->submit_time && cluster_.is_job_of(job, pod).value_or(false);
  return {
      known ? CohortJob::Standing::known : CohortJob::Standing::open,
      older_than_pods_bound_after(*bound_or_created(pod), said ? said->submit_time : std::nullopt)};
}

const Cohort& StateLossDetector::cohort() const {
  const bool news =
      std::exchange(cohort_after_, cluster_.mirror().answers()) != cluster_.mirror().answers();
  if (cohort_ && !news) return *cohort_;
  ++full_scans_;
  std::map<slurm::JobId, std::vector<std::shared_ptr<const kube::Pod>>> running;
  for (const auto& [job, keys] : cluster_.pods_by_job()) {
    for (const kube::ObjectKey& key : keys) {
      auto pod = cluster_.pods().find(key);
      if (cluster_.mirror().find(job) != nullptr && pod && runs(*pod) && bound_or_created(*pod))
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

StateLoss StateLossDetector::loss_for(const kube::Pod& pod) const {
  const auto bound = bound_or_created(pod);
  if (!runs(pod) || !bound) return StateLoss::isolated;
  return marks::shows_loss(pod) ? StateLoss::widespread : cohort().loss(*bound);
}

LossEvidence StateLossDetector::evidence_for(const kube::Pod& pod) const {
  return {older_job(pod), loss_for(pod)};
}

}  // namespace bridge::state
