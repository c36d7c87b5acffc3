// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/old_jobs.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace bridge::state {

OldJobs::OldJobs(std::vector<OldJob> jobs) : jobs_(std::move(jobs)) {
  std::ranges::sort(jobs_, std::greater(), &OldJob::read_at);
  oldest_.reserve(jobs_.size());
  const auto is_older = [this](std::size_t a, std::size_t b) {
    return jobs_[a].older_than_pods_bound_after < jobs_[b].older_than_pods_bound_after;
  };
  for (std::size_t place = 0; place < jobs_.size(); ++place) {
    Oldest now{place, std::nullopt};
    if (place > 0) {
      now = oldest_.back();
      if (is_older(place, now.first)) {
        now = {place, now.first};
      } else if (!now.second || is_older(place, *now.second)) {
        now.second = place;
      }
    }
    oldest_.push_back(now);
  }
}

const OldJob* OldJobs::oldest(base::Instant asked_since, slurm::JobId besides) const {
  const auto end = std::ranges::upper_bound(jobs_, asked_since, std::greater(), &OldJob::read_at);
  if (end == jobs_.begin()) return nullptr;
  const Oldest& among = oldest_[static_cast<std::size_t>(end - jobs_.begin()) - 1];
  if (jobs_[among.first].id != besides) return &jobs_[among.first];
  return among.second ? &jobs_[*among.second] : nullptr;
}

}  // namespace bridge::state
