// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/workers/step.h"

#include <chrono>

namespace slurmop::workers {

// Ghost jobs: jobs that Slurm shows on a node although they ended with an earlier slurmd container.
// slurmctld ends them when the new slurmd registers (slurmd -b), but with ReturnToService=2 not if
// they are younger than about 15 s or if slurmctld restarted at the same time: they stay RUNNING.
// With ReturnToService=1 slurmctld 26.05.5 ended them in every case that was tried.

// How long after the start of a container ghost jobs are looked for.
inline constexpr auto kGhostJobsWindow = std::chrono::minutes(3);

// The node is busy and the container of its slurmd is new: the jobs must be read.
bool may_have_ghost_jobs(const Worker& worker, base::WallTime now);

// Ends all jobs of a node that has ghost jobs. The node is resumed afterwards (resume.h).
MaybeStep end_ghost_jobs(const Worker& worker);

}  // namespace slurmop::workers
