// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "slurm/api/ids.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slurm::inline mirror {

// The identity that a job reported, and when it was queried.
struct JobIdentityRecord {
  std::string admin_comment;
  std::string name;
  base::Instant as_of = base::Instant::min();
  std::optional<base::WallTime> submit_time = {};
  // The time of the first query that returned the same identity; set by JobIdentityRecords.
  base::Instant since = base::Instant::min();
};

// The identities of the jobs that callers track, live or ended. A job that this process submitted
// needs no query; a job that a pod merely names must be queried before the name is trusted.
class JobIdentityRecords {
 public:
  explicit JobIdentityRecords(std::size_t at_once) : at_once_(at_once) {}

  // Does nothing if the job is already wanted.
  void want(JobId id);
  void forget(JobId id);

  // The jobs to query now. Each counts as in flight until answered() or failed().
  std::vector<JobId> start(base::Instant now);
  void answered(JobId id, JobIdentityRecord identity);
  // The job is queried again at `not_before`: soon if there was no answer, much later if Slurm does
  // not know it, unless the identity is recorded or wanted again before.
  void failed(JobId id, base::Instant not_before);

  // The identity arrived in the answer to another query.
  void record(JobId id, JobIdentityRecord identity);

  // nullptr: not known (yet).
  const JobIdentityRecord* find(JobId id) const;
  // When start() will return more; kNever if that depends on an answer or on a change.
  base::Instant due() const;

 private:
  std::size_t at_once_;
  std::size_t asked_ = 0;
  std::map<JobId, std::optional<JobIdentityRecord>> jobs_;  // empty: not known yet
  // The jobs to query and from which time on. start() looks only at these, however many are known.
  std::map<JobId, base::Instant> waiting_;
};

}  // namespace slurm::inline mirror
