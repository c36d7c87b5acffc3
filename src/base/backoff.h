// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <functional>

namespace base {

enum class Jitter {
  none,
  full,   // anything from nothing to the whole delay: spreads a crowd best
  equal,  // half the delay for sure, the rest by chance: never at once again
};

// Delays double from `first` until `most`; then they stay there.
struct BackoffPolicy {
  Duration first = std::chrono::milliseconds(100);
  Duration most = std::chrono::seconds(30);
  Jitter jitter = Jitter::equal;
};

// The delay after so many failures in a row (0: the first one just happened), for whoever keeps the
// count himself, such as a queue with one count per key. `random` is any 64 bits.
Duration backoff_delay(const BackoffPolicy& policy, std::uint32_t failures, std::uint64_t random);

// Counts the failures of one thing. The random numbers come from outside, so that a simulation with
// a seed repeats itself exactly.
class Backoff {
 public:
  using Random = std::function<std::uint64_t()>;

  Backoff(BackoffPolicy policy, Random random) : policy_(policy), random_(std::move(random)) {}

  // How long to wait after one more failure; `at_least` is what the other side asked for
  // (Error::retry_after) and may exceed the policy.
  Duration next(Duration at_least = Duration::zero());
  // It worked: the next failure is the first one again.
  void reset() { failures_ = 0; }

  std::uint32_t failures() const { return failures_; }

 private:
  BackoffPolicy policy_;
  Random random_;
  std::uint32_t failures_ = 0;
};

}  // namespace base
