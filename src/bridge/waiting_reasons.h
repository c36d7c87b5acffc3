// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/links.h"
#include "bridge/picture.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace bridge {

// Why Slurm makes jobs wait, in words: looked up job by job, the new ones first, then all of them
// round and round.
//
// Expects     run() as a task of a group that ends before it.
// Guarantees  a few calls a second at most, however many jobs wait, and none if none does; the
//             words change only when the reason does, or the expected start by much.
class WaitingReasons {
 public:
  WaitingReasons(Links links, Picture& picture);

  net::Task<void> run();

  // A pod waits under this job: its words, empty until Slurm has been asked.
  const std::string& of(slurm::JobId job);
  // Called when the words of a job have changed.
  void on_news(std::function<void(slurm::JobId)> call) { on_news_ = std::move(call); }

 private:
  struct Entry {
    base::Instant due;
    std::string reason;
    std::optional<base::WallTime> start;
    std::string words;
  };

  std::optional<slurm::JobId> next();
  net::Task<void> look(slurm::JobId job);
  void drop(slurm::JobId job);

  Links links_;
  Picture& picture_;
  std::map<slurm::JobId, Entry> entries_;
  std::set<std::pair<base::Instant, slurm::JobId>> due_;
  std::function<void(slurm::JobId)> on_news_;
};

// "Priority (jobs with a higher priority come first); expected to start about 2026-11-16T14:05Z, as
// of 13:58Z": what Slurm says of a waiting job at a moment.
std::string waiting_words(const slurm::Job& job, base::WallTime now);

}  // namespace bridge
