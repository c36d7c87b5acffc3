// SPDX-License-Identifier: Apache-2.0
#include "slurm/claims.h"

#include <algorithm>
#include <utility>

namespace slurm {

void Claims::forget(JobId id) {
  jobs_.erase(id);
}

std::vector<JobId> Claims::start(base::Instant now) {
  std::vector<JobId> ids;
  for (auto& [id, job] : jobs_) {
    if (asked_ >= at_once_) break;
    if (job.asked || job.told || job.not_before > now) continue;
    job.asked = true;
    ++asked_;
    ids.push_back(id);
  }
  return ids;
}

void Claims::answered(JobId id, std::string admin_comment) {
  --asked_;
  const auto place = jobs_.find(id);
  if (place == jobs_.end()) return;  // nobody wants it any more
  place->second.asked = false;
  place->second.told = true;
  place->second.admin_comment = std::move(admin_comment);
}

void Claims::failed(JobId id, base::Instant not_before) {
  --asked_;
  const auto place = jobs_.find(id);
  if (place == jobs_.end()) return;
  place->second.asked = false;
  place->second.not_before = not_before;
}

const std::string* Claims::find(JobId id) const {
  const auto place = jobs_.find(id);
  return place != jobs_.end() && place->second.told ? &place->second.admin_comment : nullptr;
}

base::Instant Claims::due() const {
  base::Instant when = base::kNever;
  if (asked_ >= at_once_) return when;
  for (const auto& [id, job] : jobs_) {
    if (!job.asked && !job.told) when = std::min(when, job.not_before);
  }
  return when;
}

}  // namespace slurm
