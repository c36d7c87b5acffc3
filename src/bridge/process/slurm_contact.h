// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "kube/events/event_aggregator.h"
#include "net/async/loop.h"
#include "net/async/signal.h"
#include "net/async/task.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace bridge::process {

// Whether Slurm answers, for people. Pods are not written to because of it: that would be a write
// for each of them, in the moment when everything is slow already.
//
// Guarantees  one log line and one announcement when Slurm has been away for kWorthTelling, one of
//             each when it is back; nothing about shorter absences.
class SlurmContact {
 public:
  static constexpr auto kWorthTelling = std::chrono::seconds(10);

  // Tells whoever can read Events: severity, reason and message.
  using Announce = std::function<void(kube::Severity, std::string, std::string)>;

  SlurmContact(net::Loop& loop, base::Log log, Announce announce);

  // May be said again and again.
  void lost(const base::Error& why);
  void restored();

  // Empty while nobody has asked Slurm anything.
  std::optional<bool> up() const { return up_; }
  // A sentence if it is away, else empty.
  std::string problem() const;

  // Tells what is worth telling, until it is cancelled.
  net::Task<void> run();

 private:
  void tell_lost();
  void tell_restored();
  std::chrono::seconds away() const;

  net::Loop& loop_;
  base::Log log_;
  Announce announce_;
  net::Signal changed_;
  std::optional<bool> up_;
  bool told_lost_ = false;
  base::Instant since_{};  // it is away
  base::Instant until_{};  // it was away
  std::string why_;
};

}  // namespace bridge::process
