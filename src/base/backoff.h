// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <functional>

namespace base {

enum class Jitter {
  none,
  full,   // from 0 to the whole delay: spreads many clients best
  equal,  // half the delay fixed, the rest random: never 0
};

// Delays double from `first` up to `most`.
struct BackoffPolicy {
  Duration first = std::chrono::milliseconds(100);
  Duration most = std::chrono::seconds(30);
  Jitter jitter = Jitter::equal;
};

// Returns the delay after `failures` earlier failures in a row (0: this is the first one). For code
// that keeps the count itself, such as a queue with one count per key. `random` is any 64 bits.
Duration backoff_delay(const BackoffPolicy& policy, std::uint32_t failures, std::uint64_t random);

// Counts the failures of one operation. The random numbers are passed in, so that a simulation with
// the same seed repeats exactly.
class Backoff {
 public:
  using Random = std::function<std::uint64_t()>;

  Backoff(BackoffPolicy policy, Random random) : policy_(policy), random_(std::move(random)) {}

  // Counts one more failure and returns how long to wait. `at_least` is the delay that the server
  // asked for (Error::retry_after); it may exceed the policy.
  Duration next(Duration at_least = Duration::zero());
  // Call after a success.
  void reset() { failures_ = 0; }

  std::uint32_t failures() const { return failures_; }

 private:
  BackoffPolicy policy_;
  Random random_;
  std::uint32_t failures_ = 0;
};

}  // namespace base
