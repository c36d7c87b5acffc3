// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/job_identity_records.h"

#include <algorithm>
#include <utility>

namespace slurm::inline mirror {

void JobIdentityRecords::want(JobId id) {
  if (jobs_.try_emplace(id).second) waiting_.emplace(id, base::Instant::min());
}

void JobIdentityRecords::forget(JobId id) {
  jobs_.erase(id);
  waiting_.erase(id);
}

std::vector<JobId> JobIdentityRecords::start(base::Instant now) {
  std::vector<JobId> ids;
  for (auto place = waiting_.begin(); place != waiting_.end() && asked_ < at_once_;) {
    const auto here = place++;
    if (here->second > now) continue;
    ids.push_back(here->first);
    waiting_.erase(here);
    ++asked_;
  }
  return ids;
}

void JobIdentityRecords::answered(JobId id, JobIdentityRecord identity) {
  --asked_;
  if (jobs_.contains(id)) record(id, std::move(identity));
}

void JobIdentityRecords::record(JobId id, JobIdentityRecord identity) {
  std::optional<JobIdentityRecord>& before = jobs_[id];
  const bool same = before && before->admin_comment == identity.admin_comment &&
                    before->submit_time == identity.submit_time;
  identity.since = same ? before->since : identity.as_of;
  before = std::move(identity);
  waiting_.erase(id);
}

void JobIdentityRecords::failed(JobId id, base::Instant not_before) {
  --asked_;
  const auto place = jobs_.find(id);
  if (place != jobs_.end() && !place->second) waiting_.try_emplace(id, not_before);
}

const JobIdentityRecord* JobIdentityRecords::find(JobId id) const {
  const auto place = jobs_.find(id);
  return place != jobs_.end() && place->second ? &*place->second : nullptr;
}

base::Instant JobIdentityRecords::due() const {
  base::Instant when = base::kNever;
  if (asked_ >= at_once_) return when;
  for (const auto& [id, not_before] : waiting_) when = std::min(when, not_before);
  return when;
}

}  // namespace slurm::inline mirror
