// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/ghost_jobs.h"

#include "operator/workers/out_of_service.h"

#include <algorithm>

namespace slurmop::workers {

bool may_have_ghost_jobs(const Worker& worker, base::WallTime now) {
  const auto started = slurmd_started(worker);
  return is_busy(worker) && started && now - *started <= kGhostJobsWindow;
}

MaybeStep end_ghost_jobs(const Worker& worker) {
  const auto started = slurmd_started(worker);
  if (!started || !is_busy(worker) || worker.node->down()) return std::nullopt;
  const auto is_ghost = [&](const RunningJob* job) {
    return job->started < *started - kClockTolerance;
  };
  if (std::ranges::none_of(worker.jobs, is_ghost)) return std::nullopt;
  return DownNode{worker.name, down_reason(*worker.node)};
}

}  // namespace slurmop::workers
