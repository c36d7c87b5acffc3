// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstddef>
#include <vector>

namespace bridge::state {

// How much of what it knew Slurm seems to have lost.
enum class StateLoss {
  isolated,      // Slurm still knows at least as many jobs of that age as it lost
  undetermined,  // not enough of those jobs have been confirmed since
  widespread,  // Slurm lost more than it knows: restored from an old state, emptied, or the wrong Slurm answers
};

// The job of a pod of ours that runs; of several pods, if the job has several.
struct CohortJob {
  enum class Standing {
    known,  // since the latest loss it said that it is its pod's
    open,   // it has not been heard since
    lost,   // Slurm does not know it, or its id is another job's now
  };

  Standing standing;
  base::WallTime
      older_than_pods_bound_after{};  // it is older than every pod that was bound then or later
};

// The pods of one job as one entry: a job of many pods is one job that Slurm knows or lost. At most
// two entries, if the id is another job's now: what the pods of the lost one say, and the others.
std::vector<CohortJob> counted_once(const std::vector<CohortJob>& pods_of_one_job);

// Did Slurm lose one job, or its memory?
//
// A slurmctld that is started with a state of an hour ago knows the jobs of before, and none of
// the hour. So that it does not know a job is no proof that the job ended unless it still knows as
// many jobs of pods that were bound before this one as it lost altogether. Who was bound later says
// nothing: that may have been after the loss, by an id and a job that are new.
//
// Guarantees  n log n to build, log n for each question.
// Does not    read a clock: all times are those that the API server and Slurm wrote.
class Cohort {
 public:
  explicit Cohort(const std::vector<CohortJob>& jobs);

  // For a pod that was bound at that time and whose job is one of those that are lost.
  StateLoss loss(base::WallTime bound) const;

 private:
  std::size_t lost_ = 0;
  // Sorted.
  std::vector<base::WallTime> known_;
  std::vector<base::WallTime> open_;
};

}  // namespace bridge::state
