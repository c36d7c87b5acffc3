// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "slurm/api/model.h"
#include "slurm/mirror/query_stamp.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace slurm::inline mirror {

// What is known of one job that we follow.
struct JobView {
  enum class Knowledge {
    unasked,           // nothing has been said yet
    known,             // Slurm knows it; `state` is its state
    unknown_to_slurm,  // Slurm answered and did not know the id; `state` is the last known one
  };

  Knowledge knowledge = Knowledge::unasked;
  JobState state = JobState::unknown;
  std::vector<SlurmNodeName> nodes;            // in Slurm's order; empty until it is placed
  base::Instant as_of = base::Instant::min();  // when the latest answer was asked for
  std::uint32_t times_unknown = 0;             // answers in a row that did not know the id
  base::Instant unknown_since = base::kNever;  // when the first of those was asked for
  // When the latest answer was asked for that had state, nodes and identity of the running job
  // together.
  base::Instant read_as_of = base::Instant::min();

  bool known(JobState wanted) const { return knowledge == Knowledge::known && state == wanted; }
  // It runs and we know where. A running job whose nodes we have not been told is not placed.
  bool placed() const { return known(JobState::running) && !nodes.empty(); }

  friend bool operator==(const JobView&, const JobView&) = default;
};

// The views of all jobs that we follow, and what an answer changes in them.
//
// Guarantees  an older answer never replaces a newer one; an answer says nothing about a job that
//             was not in the question, or that we began to follow after it was asked.
// Does not    take errors: an error says nothing.
class JobViews {
 public:
  // `order` is the latest question asked so far. Nothing happens if it is followed already.
  void add(JobId id, std::uint64_t order);
  void remove(JobId id) { entries_.erase(id); }

  const JobView* find(JobId id) const;
  std::size_t size() const { return entries_.size(); }
  std::optional<JobId> newest() const;

  // The jobs whose state can still change, in order of their ids.
  std::vector<JobId> open() const;
  bool any_open() const;

  // Slurm's answer to a question about `questioned`; who is missing in it is unknown to Slurm.
  // Returns whose view changed by more than its time.
  std::vector<JobId> apply(const QueryStamp& asked,
                           std::span<const JobId> questioned,
                           std::span<const JobStatus> answer);

  // A list of all jobs, for those that had ended when they were last asked for, and are not asked
  // for any more: a crash of slurmctld may have brought them back, or have lost them altogether.
  // Returns whose view changed.
  std::vector<JobId> apply_to_ended(const QueryStamp& asked, std::span<const JobStatus> all);

  // A read of the job itself said that it runs on these nodes; not empty. True if that is news.
  bool apply_running(const QueryStamp& asked, JobId id, std::vector<SlurmNodeName> nodes);

 private:
  struct Entry {
    JobView view;
    std::uint64_t since = 0;  // answers to questions up to here say nothing
    std::uint64_t nodes_since = 0;
  };

  std::map<JobId, Entry> entries_;
};

}  // namespace slurm::inline mirror
