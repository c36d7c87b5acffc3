// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace slurmop::agent {

// The result of checking a configuration with Slurm's programs.
struct Verdict {
  enum class Outcome {
    valid,
    invalid,    // Slurm rejects the configuration
    unchecked,  // no result: not in time, or the machine failed
  };
  Outcome outcome = Outcome::valid;
  std::string message = {};  // why; empty for valid

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

// A configuration that did not become active.
struct Attempt {
  enum class End {
    invalid,
    unchecked,
    rejected,  // the checks accepted it, but the running slurmctld ended with it
  };
  std::string id;  // content_id
  End end = End::invalid;
  std::string message = {};
  std::uint32_t failures = 1;  // equal ends in a row
  base::Instant at = {};       // of the last end

  friend bool operator==(const Attempt&, const Attempt&) = default;
};

// An invalid configuration is checked again because a file that it names may have appeared.
inline constexpr base::Duration kCheckInvalidAgain = std::chrono::minutes(5);
// After a check without a result, and after a failed reconfiguration: doubles from first to most.
inline constexpr base::Duration kFirstRetry = std::chrono::seconds(10);
inline constexpr base::Duration kLastRetry = std::chrono::minutes(5);

base::Duration retry_delay(std::uint32_t failures);

// When the same configuration is tried again; kNever: not before it was replaced by another one.
base::Instant try_again_at(const Attempt& attempt);

// What decides whether the candidate is checked now.
struct CandidateFacts {
  std::string candidate;  // content_id
  std::string active;     // content_id; empty: none
  std::optional<Attempt> last = {};
  base::Instant now = {};
};
bool must_check(const CandidateFacts& facts);

// The record of this end; counts on if the last attempt ended in the same way.
Attempt next_attempt(const std::optional<Attempt>& last, Attempt end);

}  // namespace slurmop::agent
