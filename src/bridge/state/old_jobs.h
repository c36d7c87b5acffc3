// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "slurm/api/ids.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace bridge::state {

// A witness: a job that Slurm knows and that was confirmed as the job of its pod.
struct OldJob {
  slurm::JobId id;
  base::Instant read_at;  // when the query for its identity was sent
  base::WallTime
      older_than_pods_bound_after;  // the job is older than every pod created at this time or later
};

// Finds the oldest witness, for many pods at one moment.
//
// Guarantees  O(n log n) to build, O(log n) for each call of oldest().
class OldJobs {
 public:
  explicit OldJobs(std::vector<OldJob> jobs);

  // The oldest job with read_at not before `asked_since`, except `besides`; nullptr if none.
  const OldJob* oldest(base::Instant asked_since, slurm::JobId besides) const;

 private:
  // Indexes of the two oldest jobs in a prefix of jobs_: the first may be `besides`.
  struct Oldest {
    std::size_t first = 0;
    std::optional<std::size_t> second;
  };

  std::vector<OldJob> jobs_;    // the latest read_at first
  std::vector<Oldest> oldest_;  // for the prefix up to and including each index
};

}  // namespace bridge::state
