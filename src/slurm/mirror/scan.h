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

// Looks at every live job in Slurm once, to find those that are ours.
//
// Guarantees  since() only ever names an instant of which this is true: every job that was live in
//             Slurm then, and could be one of ours, has been looked at or has ended. A job that
//             appears later is the next list's. What is remembered of foreign jobs is bounded by
//             the number of live ones.
// Does not    see that an id which was foreign is another job's now: a slurmctld that crashed gives
//             the ids of the jobs that it lost a second time, a list shows no more of a job than id
//             and state, and no answer that we read says when slurmctld was started. Whoever sees a
//             sign of it says so by doubt(). A crash that leaves no sign (a restart between two
//             polls that lost none of our jobs) is overlooked.
class Scan {
 public:
  explicit Scan(std::size_t at_once) : at_once_(at_once) {}

  // A complete list of Slurm's jobs. Array tasks are never ours; `is_ours` knows those that need
  // no look.
  void listed(const QueryStamp& asked,
              std::span<const JobStatus> all,
              const std::function<bool(JobId)>& is_ours);

  // Whom to look at now, newest first: what we lost track of a moment ago is found at once. Each
  // counts as asked until one of the next three.
  std::vector<JobId> start(base::Instant now);
  // It is ours, or there is no such live job: no need to remember it.
  void settled(JobId id);
  void foreign(JobId id);
  void failed(JobId id, base::Instant now);
  // Slurm may have lost jobs, the newest ones first: the next list has that many of the foreign
  // ones looked at once more.
  void doubt(std::size_t newest);
  bool is_foreign(JobId id) const { return foreign_.contains(id); }
  // Somebody else has looked at it: no need to ask. Nothing happens if it is asked already.
  void skip(JobId id);

  // When start() will have more; kNever if that depends on an answer or on the next list.
  base::Instant due() const;

  base::Instant since() const { return since_; }
  std::size_t foreign_known() const { return foreign_.size(); }
  // Of those that are foreign or not looked at yet.
  std::optional<JobId> newest() const;

 private:
  static constexpr base::Duration kRetry = std::chrono::seconds(1);

  // One list: when it was asked for, and how many of those that it showed first are not yet judged.
  struct List {
    base::Instant at{};
    std::size_t left = 0;
  };
  struct Unjudged {
    std::uint64_t list = 0;  // the number of the list that showed it first
    base::Instant not_before = base::Instant::min();
    bool asked = false;
  };

  void judge(std::map<JobId, Unjudged>::iterator place);
  void drop_ended(const std::set<JobId>& live);
  void advance();

  std::size_t at_once_;
  std::size_t asked_ = 0;
  std::map<JobId, Unjudged> unjudged_;
  std::set<JobId> foreign_;
  std::deque<List> lists_;        // those not completely judged, oldest first
  std::uint64_t first_list_ = 0;  // the number of lists_.front()
  base::Instant since_ = base::Instant::min();
};

}  // namespace slurm::inline mirror
