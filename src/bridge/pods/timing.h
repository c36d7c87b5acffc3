// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

// Every interval, delay and time limit of bridge/pods.
namespace bridge::pods {

using namespace std::chrono_literals;

// --- pod and job (syncer.cpp) ---
// No event reports evidence from other jobs, or that the pod's node was drained in Slurm.
inline constexpr auto kLookForProof = 5s;
// How long Slurm may take to end a job that was cancelled.
inline constexpr auto kCancelledWithin = 200ms;
inline constexpr auto kAskAccountingAgain = 60s;
// After a failover to an older state of slurmctld, the job of a running pod may be pending again,
// behind a job that was revived, until the OrphanSweeper cancels that job; or the job is started a
// second time, on another node, until slurmctld fails back. Users cannot requeue an external job.
inline constexpr auto kMovedForGood = 120s;
// How long a job must be unknown to Slurm before its pod is deleted. A backup slurmctld that
// started with an old state may be replaced by the primary with the newer state. If the job has
// ended, the delay does no harm.
inline constexpr auto kAbsentLongEnough = 120s;
inline constexpr auto kTryForbiddenAgain = 10min;

// --- orphaned jobs (orphan_sweeper.cpp) ---
inline constexpr auto kSweepEvery = 5s;
// How long a job must have no pod before it is cancelled.
inline constexpr auto kOrphanGrace = 20s;

}  // namespace bridge::pods
