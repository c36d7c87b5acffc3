// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/decision.h"

#include "base/backoff.h"

#include <utility>

namespace slurmop::agent {

base::Duration retry_delay(std::uint32_t failures) {
  const base::BackoffPolicy policy{
      .first = kFirstRetry, .most = kLastRetry, .jitter = base::Jitter::none};
  return base::backoff_delay(policy, failures == 0 ? 0 : failures - 1, 0);
}

base::Instant try_again_at(const Attempt& attempt) {
  switch (attempt.end) {
    case Attempt::End::invalid: return attempt.at + kCheckInvalidAgain;
    case Attempt::End::unchecked: return attempt.at + retry_delay(attempt.failures);
    case Attempt::End::rejected: return base::kNever;
  }
  return base::kNever;
}

bool must_check(const CandidateFacts& facts) {
  if (facts.candidate == facts.active) return false;
  if (!facts.last || facts.last->id != facts.candidate) return true;
  return facts.now >= try_again_at(*facts.last);
}

Attempt next_attempt(const std::optional<Attempt>& last, Attempt end) {
  const bool again = last && last->id == end.id && last->end == end.end;
  end.failures = again ? last->failures + 1 : 1;
  return end;
}

}  // namespace slurmop::agent
