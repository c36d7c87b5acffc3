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

// Reports in the log and in Events whether Slurm answers. Conditions of pods are not written: that
// would be one write per pod at a moment when requests are slow already.
//
// Guarantees  one log line and one announcement when Slurm has not answered for kReportAfter, one
//             of each when it answers again; no report of shorter absences.
class SlurmContact {
 public:
  static constexpr auto kReportAfter = std::chrono::seconds(10);

  // Records an Event: severity, reason and message.
  using Announce = std::function<void(kube::Severity, std::string, std::string)>;

  SlurmContact(net::Loop& loop, base::Log log, Announce announce);

  // The outcome of a request to Slurm. Repeated calls with the same outcome have no effect, except
  // that the latest error is the one that is reported.
  void lost(const base::Error& why);
  void restored();

  // Empty before the first call of lost() or restored().
  std::optional<bool> up() const { return up_; }
  // For how long and why Slurm does not answer; empty if it answers.
  std::string problem() const;

  // Writes the reports until it is cancelled.
  net::Task<void> run();

 private:
  void report_lost();
  void report_restored();
  std::chrono::seconds away() const;

  net::Loop& loop_;
  base::Log log_;
  Announce announce_;
  net::Signal changed_;
  std::optional<bool> up_;
  bool lost_reported_ = false;
  base::Instant since_{};  // start of the latest absence
  base::Instant until_{};  // its end
  std::string why_;
};

}  // namespace bridge::process
