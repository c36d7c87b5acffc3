// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "slurm/api/ids.h"
#include "slurm/client/ids_per_call.h"
#include "slurm/mirror/cadence.h"

#include <optional>
#include <span>
#include <vector>

namespace slurm::inline mirror {

// The repeated poll for the states of our jobs. A round covers each job once, in as many calls as
// the ids need, one call at a time.
//
// Expects     each call that start() returns is made, and its outcome is passed to one of
//             refused_as_too_long(), answered() and failed().
// Guarantees  a call that was rejected because of its length is repeated in smaller calls. A failed
//             call does not prevent the other calls of its round.
// Does not    wait after a failure: Health does.
class StatesPoll {
 public:
  // A call is in flight.
  bool asking() const { return asking_; }
  // When the next call is due: kNever while one is in flight, at once while a round is incomplete.
  base::Instant due(base::Duration interval) const;
  // The ids of the next call. A new round covers `open`.
  std::vector<JobId> start(std::vector<JobId> open, base::Instant now);
  bool in_round() const { return !left_.empty(); }

  // True if this error is a rejection because of the call's length, so that smaller calls follow.
  bool refused_as_too_long(std::span<const JobId> ids, const base::Error& error);
  void answered(base::Instant now);
  void failed(const base::Error& error, base::Instant now);
  // There is no job to poll, and Slurm answered another query that was sent at `at`.
  void nothing_to_ask(base::Instant at);

  // When the latest round began in which every call was answered; Instant::min() before the first.
  base::Instant good_since() const { return good_since_; }
  // Why the latest round is not complete; empty if it is.
  const std::optional<base::Error>& error() const { return error_; }

  // Calls became smaller than ever before because a server rejected longer ones.
  struct Shortened {
    std::size_t ids_per_call;
    base::Error refusal;
  };
  // Returns each event once.
  std::optional<Shortened> take_shortened();

 private:
  void end_call(base::Instant now);

  Cadence cadence_;
  IdsPerCall ids_per_call_;
  bool asking_ = false;
  bool round_failed_ = false;
  std::vector<JobId> left_;  // of the current round
  base::Instant round_began_ = base::Instant::min();
  base::Instant good_since_ = base::Instant::min();
  std::optional<base::Error> error_;
  std::optional<base::Error> refusal_;  // the latest rejection because of a call's length
  std::optional<Shortened> shortened_;
};

}  // namespace slurm::inline mirror
