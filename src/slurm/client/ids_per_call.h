// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>

namespace slurm::inline client {

// The most ids of one /jobs/state/ call. slurmrestd 26.05 accepts a request line of 80 kB and
// refuses 96 kB with "Insane message length"; this many ids need at most 54 kB.
inline constexpr std::size_t kMostIdsPerCall = 3000;

// How many job ids fit into one /jobs/state/ call. A proxy in front of slurmrestd may accept less
// than slurmrestd itself: 8 kB of request line is a common default.
//
// Guarantees  a smaller limit is kept only after a call of that size was answered, so that a proxy
//             that refuses every request does not make the calls small. A larger limit is tried
//             again after kTryMoreAfter.
class IdsPerCall {
 public:
  // No server refuses a request for being this short: a smaller call is not tried.
  static constexpr std::size_t kFewest = 16;
  static constexpr auto kTryMoreAfter = std::chrono::hours(1);

  std::size_t limit(base::Instant now) {
    if (!trial_ && limit_ < kMostIdsPerCall && try_more_at_ <= now) {
      trial_ = std::min(2 * limit_, kMostIdsPerCall);
      try_more_at_ = now + kTryMoreAfter;
    }
    return trial_.value_or(limit_);
  }

  // A call with this many ids was refused as too long. False: a smaller call would not help.
  bool refused(std::size_t ids) {
    if (ids <= kFewest) {
      trial_.reset();
      return false;
    }
    trial_ = std::max(ids / 2, kFewest);
    return true;
  }

  // A call was answered. True if the limit is smaller than it has ever been.
  bool answered(base::Instant now) {
    if (!trial_) return false;
    limit_ = *trial_;
    trial_.reset();
    try_more_at_ = now + kTryMoreAfter;
    if (limit_ >= smallest_) return false;
    smallest_ = limit_;
    return true;
  }

 private:
  std::size_t limit_ = kMostIdsPerCall;
  std::optional<std::size_t> trial_;  // being tried, not yet answered
  std::size_t smallest_ = kMostIdsPerCall;
  base::Instant try_more_at_ = base::kNever;
};

}  // namespace slurm::inline client
