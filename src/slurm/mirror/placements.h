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

// Whose nodes to ask for next: every job once when it has started, then again in slow rotation (a
// job may lose a node), one job at a time however many run.
class Placements {
 public:
  Placements(std::size_t at_once, base::Duration again_after)
      : at_once_(at_once), again_after_(again_after) {}

  // The job runs. Nothing happens if that is known.
  void runs(JobId id);
  // It does not run any more, or nobody follows it.
  void stopped(JobId id);

  // Somebody needs to know now where it runs: it is asked before the rotation.
  void ask_soon(JobId id);

  // Whom to ask now. Each counts as asked until answered() or failed().
  std::vector<JobId> start(base::Instant now);
  void answered(JobId id, base::Instant now);
  // No nodes yet, or no answer: asked again soon.
  void failed(JobId id, base::Instant now);

  // When start() will have more; kNever if that depends on an answer or on news.
  base::Instant due() const;

 private:
  using Queue = std::set<std::pair<base::Instant, JobId>>;
  static constexpr base::Duration kRetry = std::chrono::seconds(1);
  static constexpr base::Duration kRotation = std::chrono::seconds(1);

  // Where a running job stands: in one of the queues, or in none while it is asked.
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
