// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstddef>
#include <vector>

namespace bridge::state {

// How many of our jobs Slurm lost, compared with the jobs that it still knows.
enum class StateLoss {
  isolated,      // Slurm still knows at least as many jobs of that age as it lost
  undetermined,  // too few of those jobs have been confirmed since the loss
  widespread,    // Slurm lost more than it knows: an old or empty state, or the wrong Slurm
};

// The job of a running pod of ours, or of several such pods.
struct CohortJob {
  enum class Standing {
    known,  // confirmed as the pod's job since the latest loss
    open,   // not confirmed since the latest loss
    lost,   // unknown to Slurm, or the id now belongs to another job
  };

  Standing standing;
  base::WallTime
      older_than_pods_bound_after{};  // the job is older than every pod bound at this time or later
};

// Merges the entries of the pods of one job: a job of many pods counts once. Returns two entries if
// the id was reused: `lost` for the pods of the lost job, and one entry for the other pods.
std::vector<CohortJob> counted_once(const std::vector<CohortJob>& pods_of_one_job);

// Decides whether Slurm lost single jobs or its state.
//
// A slurmctld that is started with a state of an hour ago knows the jobs from before that hour and
// none from within it. An unknown job has therefore ended only if Slurm still knows, of pods that
// were bound before this one, at least as many jobs as it lost in total. Pods that were bound later
// prove nothing: they may have been bound after the loss, under new jobs.
//
// Guarantees  O(n log n) to build, O(log n) for each call of loss().
// Does not    read a clock: all times come from the API server and from Slurm.
class Cohort {
 public:
  explicit Cohort(const std::vector<CohortJob>& jobs);

  // For a pod that was bound at this time and whose job is lost.
  StateLoss loss(base::WallTime bound) const;

 private:
  std::size_t lost_ = 0;
  // Sorted.
  std::vector<base::WallTime> known_;
  std::vector<base::WallTime> open_;
};

}  // namespace bridge::state
