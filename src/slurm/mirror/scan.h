// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "slurm/api/model.h"
#include "slurm/mirror/query_stamp.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace slurm::inline mirror {

// Examines every live job in Slurm once, to find our jobs, and the foreign jobs again in a slow rotation.
//
// Guarantees  for the instant since(): every job that was live in Slurm then and could be ours has
//             been examined or has ended. A job that appears later belongs to the next list. The
//             memory for foreign jobs is bounded by the number of live jobs.
// Does not    detect at once that a foreign id now belongs to another job: a slurmctld that crashed
//             issues the ids of lost jobs again, a list shows only id and state, and no answer
//             contains the start time of slurmctld. A caller that sees a sign of a crash calls
//             doubt(). After a crash without a sign (a restart between two polls that lost none of
//             our jobs) the rotation finds the job: one foreign id every kRotation, so that the rate
//             of calls does not depend on the number of jobs.
class Scan {
 public:
  explicit Scan(std::size_t at_once) : at_once_(at_once) {}

  // A complete list of Slurm's jobs. Array tasks are never ours; `is_ours` returns true for jobs
  // that need no read.
  void listed(const QueryStamp& asked,
              std::span<const JobStatus> all,
              const std::function<bool(JobId)>& is_ours);

  // The jobs to read now, newest first: a job whose submit answer was lost recently is found at
  // once. Then the next job of the rotation. Each counts as in flight until one of the next three.
  std::vector<JobId> start(base::Instant now);
  // The job is ours, or is not live: nothing to remember.
  void settled(JobId id);
  void foreign(JobId id);
  void failed(JobId id, base::Instant now);
  // Slurm may have lost jobs, the newest first: after the next list this many of the foreign jobs
  // are read again.
  void doubt(std::size_t newest);
  bool is_foreign(JobId id) const { return foreign_.contains(id); }
  // The job was read for another reason: no read is needed. Does nothing if its read is in flight.
  void skip(JobId id);

  // When start() will return more; kNever if that depends on an answer or on the next list.
  base::Instant due() const;

  base::Instant since() const { return since_; }
  std::size_t foreign_known() const { return foreign_.size(); }
  // The newest of the jobs that are foreign or not read yet.
  std::optional<JobId> newest() const;

 private:
  static constexpr base::Duration kRetry = std::chrono::seconds(1);
  static constexpr base::Duration kRotation = std::chrono::seconds(10);

  // One list: when it was requested, and how many of the jobs that it showed first are not
  // classified yet.
  struct List {
    base::Instant at{};
    std::size_t left = 0;
  };
  struct Unjudged {
    std::uint64_t list = 0;  // the number of the list that showed the job first
    base::Instant not_before = base::Instant::min();
    bool asked = false;
  };

  void judge(std::map<JobId, Unjudged>::iterator place);
  void drop_ended(const std::set<JobId>& live);
  void advance();
  void answered(JobId id);
  std::optional<JobId> next_of_rotation(base::Instant now);

  std::size_t at_once_;
  std::size_t asked_ = 0;
  std::map<JobId, Unjudged> unjudged_;
  std::set<JobId> foreign_;
  JobId rotated_{0};  // the latest job of the rotation; older ids follow
  base::Instant next_rotation_ = base::Instant::min();  // min: no foreign job yet
  std::deque<List> lists_;                              // not completely classified, oldest first
  std::uint64_t first_list_ = 0;                        // the number of lists_.front()
  base::Instant since_ = base::Instant::min();
};

}  // namespace slurm::inline mirror
