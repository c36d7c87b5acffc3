// SPDX-License-Identifier: Apache-2.0
#include "base/backoff.h"

#include <algorithm>
#include <limits>

namespace base {
namespace {

std::uint64_t whole_delay(const BackoffPolicy& policy, std::uint32_t failures) {
  const auto first = static_cast<std::uint64_t>(std::max<Duration::rep>(0, policy.first.count()));
  const auto most = static_cast<std::uint64_t>(std::max<Duration::rep>(0, policy.most.count()));
  // first << failures, limited to `most`.
  if (first == 0 || failures >= 63 || first > most >> failures) return first == 0 ? 0 : most;
  return first << failures;
}

}  // namespace

Duration backoff_delay(const BackoffPolicy& policy, std::uint32_t failures, std::uint64_t random) {
  const std::uint64_t whole = whole_delay(policy, failures);
  std::uint64_t certain = 0;
  switch (policy.jitter) {
    case Jitter::none: certain = whole; break;
    case Jitter::equal: certain = whole - whole / 2; break;
    case Jitter::full: break;
  }
  // The bias of the remainder is below 2^-28 for delays up to a minute.
  return Duration(static_cast<Duration::rep>(certain + random % (whole - certain + 1)));
}

Duration Backoff::next(Duration at_least) {
  const std::uint64_t random = policy_.jitter == Jitter::none ? 0 : random_();
  const Duration delay = backoff_delay(policy_, failures_, random);
  if (failures_ < std::numeric_limits<std::uint32_t>::max()) ++failures_;
  return std::max(delay, at_least);
}

}  // namespace base
