// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "slurm/api/ids.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace bridge::state {

// A job that Slurm knows and that is its pod's.
struct OldJob {
  slurm::JobId id;
  base::Instant said_at;  // when it was asked whose it is
  base::WallTime
      older_than_pods_bound_after;  // it is older than every pod that was created then or later
};

// Which of many jobs is the oldest, for everybody who asks at one moment.
//
// Guarantees  n log n to build, log n for each question.
class OldJobs {
 public:
  explicit OldJobs(std::vector<OldJob> jobs);

  // Of those that were asked then or later, without that one; nullptr if there is none.
  const OldJob* oldest(base::Instant asked_since, slurm::JobId besides) const;

 private:
  // Among all up to one place: places in jobs_. Two, because one of them may be left out.
  struct Oldest {
    std::size_t first = 0;
    std::optional<std::size_t> second;
  };

  std::vector<OldJob> jobs_;  // the last one asked first
  std::vector<Oldest> oldest_;
};

}  // namespace bridge::state
