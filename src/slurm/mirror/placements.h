// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "slurm/api/ids.h"

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace slurm::inline mirror {

// Which jobs to read next for their nodes: every job once after its start, then again in slow
// rotation (a job may lose a node), one job at a time however many run.
class Placements {
 public:
  Placements(std::size_t at_once, base::Duration again_after)
      : at_once_(at_once), again_after_(again_after) {}

  // The job runs. Does nothing if that is known.
  void runs(JobId id);
  // The job does not run any more, or is not followed any more.
  void stopped(JobId id);

  // A caller needs the nodes now: the job is read before the rotation.
  void ask_soon(JobId id);

  // The jobs to read now. Each counts as in flight until answered() or failed().
  std::vector<JobId> start(base::Instant now);
  void answered(JobId id, base::Instant now);
  // No nodes yet, or no answer: read again soon.
  void failed(JobId id, base::Instant now);

  // When start() will return more; kNever if that depends on an answer or on a change.
  base::Instant due() const;

 private:
  using Queue = std::set<std::pair<base::Instant, JobId>>;
  static constexpr base::Duration kRetry = std::chrono::seconds(1);
  static constexpr base::Duration kRotation = std::chrono::seconds(1);

  // The queue of a running job; none while its read is in flight.
  struct Place {
    Queue* queue = nullptr;
    base::Instant due{};
  };

  void enqueue(JobId id, Queue& queue, base::Instant due);
  void take(Queue& queue, std::vector<JobId>& into);
  void ended(JobId id, Queue& queue, base::Instant due);

  std::size_t at_once_;
  base::Duration again_after_;
  std::size_t asked_ = 0;
  std::map<JobId, Place> running_;
  Queue first_;     // never answered yet
  Queue rotation_;  // answered before
  base::Instant next_rotation_ = base::Instant::min();
};

}  // namespace slurm::inline mirror
