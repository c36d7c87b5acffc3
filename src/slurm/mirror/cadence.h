// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <algorithm>

namespace slurm::inline mirror {

// The rhythm of one repeated call: calls never overlap, one interval passes between two calls, and
// after each call there is a pause of several times the duration of the last call, so that a slow
// server is not fully loaded.
class Cadence {
 public:
  static constexpr int kRestPerWork = 3;
  static constexpr base::Duration kMostRest = std::chrono::seconds(10);

  void started(base::Instant now) {
    started_ = now;
    running_ = true;
  }
  // Only an answered call requires a pause: after a failure the back-off applies.
  void ended(base::Instant now, bool answered) {
    running_ = false;
    rested_ = answered ? now + std::min(kRestPerWork * (now - started_), kMostRest) : now;
  }

  bool running() const { return running_; }
  // kNever while a call runs, Instant::min() before the first call.
  base::Instant due(base::Duration interval) const {
    if (running_) return base::kNever;
    if (started_ == base::Instant::min()) return base::Instant::min();
    return std::max(started_ + interval, rested_);
  }

 private:
  base::Instant started_ = base::Instant::min();
  base::Instant rested_ = base::Instant::min();
  bool running_ = false;
};

}  // namespace slurm::inline mirror
