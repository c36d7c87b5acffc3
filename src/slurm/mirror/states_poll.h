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

// The repeated poll for the states of our jobs. A round asks for each job once, in as many calls as
// the ids need, one call at a time.
//
// Expects     each call that start() returns to be made, and one of refused_as_too_long(),
//             answered() and failed() to be called with its outcome.
// Guarantees  a call that was refused because of its length is repeated in smaller calls. A call
//             that failed does not keep the other calls of its round from being made.
// Does not    wait after a failure: Health does.
class StatesPoll {
 public:
  // A call is under way.
  bool asking() const { return asking_; }
  // When the next call is due: kNever while one is under way, at once while a round is not done.
  base::Instant due(base::Duration interval) const;
  // The ids of the next call. A new round asks for `open`.
  std::vector<JobId> start(std::vector<JobId> open, base::Instant now);
  bool in_round() const { return !left_.empty(); }

  // Whether this error is a refusal because of the call's length, so that smaller calls follow.
  bool refused_as_too_long(std::span<const JobId> ids, const base::Error& error);
  void answered(base::Instant now);
  void failed(const base::Error& error, base::Instant now);
  // There is no job to ask for, and Slurm answered another question that was asked at `at`.
  void nothing_to_ask(base::Instant at);

  // When the latest round began in which every call was answered; Instant::min() before the first.
  base::Instant good_since() const { return good_since_; }
  // Why the latest round is not complete; empty if it is.
  const std::optional<base::Error>& error() const { return error_; }
  // How long a round takes: the latest one, or the current one if that is longer.
  base::Duration takes(base::Instant now) const { return cadence_.takes(now); }

  // Calls have become smaller than ever before because a server refused longer ones.
  struct Shortened {
    std::size_t ids_per_call;
    base::Error refusal;
  };
  // Once after each time.
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
  std::optional<base::Error> refusal_;  // the latest one because of a call's length
  std::optional<Shortened> shortened_;
};

}  // namespace slurm::inline mirror
