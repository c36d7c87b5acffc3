// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <algorithm>

namespace slurm::inline mirror {

// The rhythm of one repeated call: never two at once, not before its interval is over, and with a
// rest of several times what the last one took, so that a slow server is not kept busy by us.
class Cadence {
 public:
  static constexpr int kRestPerWork = 3;
  static constexpr base::Duration kMostRest = std::chrono::seconds(10);

  void started(base::Instant now) {
    started_ = now;
    running_ = true;
  }
  // Only an answer asks for a rest: after a failure it is the back-off that waits.
  void ended(base::Instant now, bool answered) {
    running_ = false;
    took_ = now - started_;
    rested_ = answered ? now + std::min(kRestPerWork * (now - started_), kMostRest) : now;
  }

  bool running() const { return running_; }
  // How long one call takes: the latest, or the current one if it is longer already.
  base::Duration takes(base::Instant now) const {
    return running_ ? std::max(took_, now - started_) : took_;
  }
  // kNever while it runs, Instant::min() before the first.
  base::Instant due(base::Duration interval) const {
    if (running_) return base::kNever;
    if (started_ == base::Instant::min()) return base::Instant::min();
    return std::max(started_ + interval, rested_);
  }

 private:
  base::Instant started_ = base::Instant::min();
  base::Instant rested_ = base::Instant::min();
  base::Duration took_ = base::Duration::zero();
  bool running_ = false;
};

}  // namespace slurm::inline mirror
