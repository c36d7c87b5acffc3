// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/cohort.h"

#include <algorithm>
#include <optional>

namespace bridge::state {
namespace {

// An id that was given again looks like a job that is still there until it is asked whose it is. So
// the ones that were not asked yet may be lost, too; with so many more that were, they are not
// worth waiting for: thousands of jobs are asked one a second.
constexpr std::size_t kMayBeLostToo = 8;

std::size_t up_to(const std::vector<base::WallTime>& times, base::WallTime last) {
  return static_cast<std::size_t>(std::ranges::upper_bound(times, last) - times.begin());
}

}  // namespace

std::vector<CohortJob> counted_once(const std::vector<CohortJob>& pods_of_one_job) {
  using Standing = CohortJob::Standing;
  std::vector<CohortJob> once;
  for (const Standing standing : {Standing::known, Standing::open}) {
    std::optional<base::WallTime> earliest;
    for (const CohortJob& pod : pods_of_one_job) {
      if (pod.standing != standing) continue;
      earliest = earliest ? std::min(*earliest, pod.older_than_pods_bound_after)
                          : pod.older_than_pods_bound_after;
    }
    if (!earliest) continue;
    once.push_back({standing, *earliest});
    break;  // one that is known says more
  }
  const auto is_lost = [](const CohortJob& pod) { return pod.standing == Standing::lost; };
  if (std::ranges::any_of(pods_of_one_job, is_lost)) once.push_back({Standing::lost});
  return once;
}

Cohort::Cohort(const std::vector<CohortJob>& jobs) {
  for (const CohortJob& job : jobs) {
    switch (job.standing) {
      case CohortJob::Standing::known: known_.push_back(job.older_than_pods_bound_after); break;
      case CohortJob::Standing::open: open_.push_back(job.older_than_pods_bound_after); break;
      case CohortJob::Standing::lost: ++lost_; break;
    }
  }
  std::ranges::sort(known_);
  std::ranges::sort(open_);
}

StateLoss Cohort::loss(base::WallTime bound) const {
  const std::size_t known = up_to(known_, bound);
  if (lost_ > known + up_to(open_, bound)) return StateLoss::widespread;
  // Nobody has lost anything: then this is not known of the one in question yet.
  const bool enough = lost_ > 0 && known >= lost_ + std::min(open_.size(), kMayBeLostToo);
  return enough ? StateLoss::isolated : StateLoss::undetermined;
}

}  // namespace bridge::state
