// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <algorithm>
#include <cstdint>

namespace base {

// The size of a burst, and the interval of each further token.
struct Allowance {
  std::uint32_t burst = 1;
  Duration one_per = std::chrono::seconds(1);
};

// Starts full. Holds no clock, so it is a plain value.
class TokenBucket {
 public:
  // Takes a token if there is one and returns whether it did.
  bool take(const Allowance& allowance, Instant now) {
    if (!used_) {
      used_ = true;
      tokens_ = allowance.burst;
      filled_at_ = now;
    }
    // The elapsed part of an interval is kept, so that frequent calls lose no time.
    const auto earned = (now - filled_at_) / allowance.one_per;
    if (earned > 0) {
      tokens_ = static_cast<std::uint32_t>(
          std::min<std::int64_t>(allowance.burst, std::int64_t{tokens_} + earned));
      filled_at_ += earned * allowance.one_per;
    }
    if (tokens_ == 0) return false;
    --tokens_;
    return true;
  }

 private:
  bool used_ = false;
  std::uint32_t tokens_ = 0;
  Instant filled_at_{};
};

}  // namespace base
