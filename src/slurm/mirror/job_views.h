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

// The state of one followed job.
struct JobView {
  enum class Knowledge {
    unasked,           // no answer yet
    known,             // Slurm knows the job; `state` is its state
    unknown_to_slurm,  // Slurm answered without the id; `state` is the last known state
  };

  Knowledge knowledge = Knowledge::unasked;
  JobState state = JobState::unknown;
  std::vector<SlurmNodeName> nodes;            // in Slurm's order; empty until the job is placed
  base::Instant as_of = base::Instant::min();  // when the query of the latest answer was sent
  std::uint32_t times_unknown = 0;             // consecutive answers without the id
  base::Instant unknown_since = base::kNever;  // when the query of the first of these was sent
  // When the query of the latest answer was sent that had state, nodes and identity of the running
  // job together.
  base::Instant read_as_of = base::Instant::min();

  bool known(JobState wanted) const { return knowledge == Knowledge::known && state == wanted; }
  // The job runs and its nodes are known. A running job without known nodes is not placed.
  bool placed() const { return known(JobState::running) && !nodes.empty(); }

  friend bool operator==(const JobView&, const JobView&) = default;
};

// The views of all followed jobs, and how an answer changes them.
//
// Guarantees  an older answer never replaces a newer one; an answer does not change a job that was
//             not in its query, or that was followed only after the query was sent.
// Does not    accept errors: an error proves nothing.
class JobViews {
 public:
  // `order` is the latest query so far. Does nothing if the job is already followed.
  void add(JobId id, std::uint64_t order);
  void remove(JobId id) { entries_.erase(id); }

  const JobView* find(JobId id) const;
  std::size_t size() const { return entries_.size(); }
  std::optional<JobId> newest() const;

  // The jobs whose state can still change, ordered by id.
  std::vector<JobId> open() const;
  bool any_open() const;

  // Slurm's answer to a query for the jobs `questioned`; a job that is missing in it is unknown to
  // Slurm. Returns the jobs whose view changed in more than its time.
  std::vector<JobId> apply(const QueryStamp& asked,
                           std::span<const JobId> questioned,
                           std::span<const JobStatus> answer);

  // A list of all jobs, applied to the jobs that had ended and are not polled any more: a crash of
  // slurmctld may have revived or lost them. Returns the jobs whose view changed.
  std::vector<JobId> apply_to_ended(const QueryStamp& asked, std::span<const JobStatus> all);

  // A read of the job itself returned that it runs on these nodes; `nodes` is not empty. True if
  // that is a change.
  bool apply_running(const QueryStamp& asked, JobId id, std::vector<SlurmNodeName> nodes);

 private:
  struct Entry {
    JobView view;
    std::uint64_t since = 0;  // answers to queries up to this one do not count
    std::uint64_t nodes_since = 0;
  };

  std::map<JobId, Entry> entries_;
};

}  // namespace slurm::inline mirror
