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

// What a job said of itself, and when it was asked.
struct JobIdentityRecord {
  std::string admin_comment;
  std::string name;
  base::Instant as_of = base::Instant::min();
  std::optional<base::WallTime> submit_time = {};
  // When it was first asked and said the same; JobIdentityRecords sets it.
  base::Instant since = base::Instant::min();
};

// What the jobs that somebody asked us to follow say of themselves, live or not. A job that we made
// ourselves need not be asked; one that a pod merely names must be, before the name is believed.
class JobIdentityRecords {
 public:
  explicit JobIdentityRecords(std::size_t at_once) : at_once_(at_once) {}

  // Nothing happens if it is wanted already.
  void want(JobId id);
  void forget(JobId id);

  // Whom to ask now. Each counts as asked until one of the next two.
  std::vector<JobId> start(base::Instant now);
  void answered(JobId id, JobIdentityRecord claim);
  // It is asked again from then on: soon if there was no answer, much later if Slurm does not know
  // it, unless it is told or wanted anew before.
  void failed(JobId id, base::Instant not_before);

  // It was said without being asked for here.
  void told(JobId id, JobIdentityRecord claim);

  // nullptr: not told (yet).
  const JobIdentityRecord* find(JobId id) const;
  // When start() will have more; kNever if that depends on an answer or on news.
  base::Instant due() const;

 private:
  std::size_t at_once_;
  std::size_t asked_ = 0;
  std::map<JobId, std::optional<JobIdentityRecord>> jobs_;  // empty: not told yet
  // Those to be asked and from when on: all that start() looks at, however many are told already.
  std::map<JobId, base::Instant> waiting_;
};

}  // namespace slurm::inline mirror
