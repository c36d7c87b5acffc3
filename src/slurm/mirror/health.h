// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/backoff.h"
#include "base/clock.h"
#include "base/error.h"
#include "slurm/mirror/query_stamp.h"

#include <optional>
#include <utility>

namespace slurm::inline mirror {

// Whether Slurm answers, and how long to pause after failures.
//
// Guarantees  of overlapping calls, only calls that started after the last counted outcome count:
//             ten calls that fail together are one failure, and a late answer proves nothing.
class Health {
 public:
  Health(base::BackoffPolicy policy, base::Backoff::Random random)
      : backoff_(policy, std::move(random)) {}

  void answered(const QueryStamp& asked) {
    if (asked.order <= counted_) return;
    counted_ = asked.order;
    answered_ = true;
    error_.reset();
    backoff_.reset();
    pause_until_ = base::Instant::min();
  }

  // `newest` is the latest query so far: every call in flight shares this failure.
  void failed(const QueryStamp& asked, std::uint64_t newest, base::Instant now, base::Error error) {
    if (asked.order <= counted_) return;
    counted_ = newest;
    const auto wait = error.retry_after().value_or(std::chrono::milliseconds(0));
    pause_until_ = now + backoff_.next(wait);
    error_ = std::move(error);
  }

  // The latest counted call was answered.
  bool healthy() const { return answered_ && !error_; }
  bool failing() const { return error_.has_value(); }
  const std::optional<base::Error>& last_error() const { return error_; }
  base::Instant pause_until() const { return pause_until_; }

 private:
  base::Backoff backoff_;
  std::uint64_t counted_ = 0;
  bool answered_ = false;
  std::optional<base::Error> error_;
  base::Instant pause_until_ = base::Instant::min();
};

}  // namespace slurm::inline mirror
