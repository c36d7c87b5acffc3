// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/cohort.h"

#include <algorithm>
#include <optional>

namespace bridge::state {
namespace {

// A job with a reused id looks known until its identity is read, so open jobs may be lost as well.
// The known jobs must outnumber the lost ones by the open jobs, but by no more than this number:
// identities are read one per second, which would take too long for thousands of jobs.
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
    break;  // `known` takes precedence over `open`
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
  // Without any lost job, the loss of the pod in question is not counted yet.
  const bool enough = lost_ > 0 && known >= lost_ + std::min(open_.size(), kMayBeLostToo);
  return enough ? StateLoss::isolated : StateLoss::undetermined;
}

}  // namespace bridge::state
