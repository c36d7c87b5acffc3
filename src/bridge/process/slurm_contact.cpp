// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/slurm_contact.h"

#include <fmt/format.h>

#include <utility>

namespace bridge::process {

SlurmContact::SlurmContact(net::Loop& loop, base::Log log, Announce announce)
    : loop_(loop), log_(std::move(log)), announce_(std::move(announce)), changed_(loop) {}

void SlurmContact::lost(const base::Error& why) {
  why_ = why.to_string();
  if (up_ == false) return;
  // An answer that run() has not reported yet does not end an absence that was reported.
  if (!lost_reported_) since_ = loop_.now();
  up_ = false;
  changed_.notify();
}

void SlurmContact::restored() {
  if (up_ == true) return;
  up_ = true;
  until_ = loop_.now();
  changed_.notify();
}

std::chrono::seconds SlurmContact::away() const {
  const base::Instant end = up_ == true ? until_ : loop_.now();
  return std::chrono::duration_cast<std::chrono::seconds>(end - since_);
}

std::string SlurmContact::problem() const {
  if (up_ != false) return {};
  return fmt::format("Slurm has not served us for {} s: {}", away().count(), why_);
}

net::Task<void> SlurmContact::run() {
  for (;;) {
    base::Instant look_again = base::kNever;
    if (up_ == true && lost_reported_) report_restored();
    if (up_ == false && !lost_reported_) {
      if (loop_.now() >= since_ + kReportAfter) {
        report_lost();
      } else {
        look_again = since_ + kReportAfter;
      }
    }
    const auto woken = co_await changed_.wait_until(look_again);
    if (!woken.ok()) co_return;
  }
}

void SlurmContact::report_lost() {
  lost_reported_ = true;
  log_.error("Slurm does not serve us: pods that run go on, new ones wait",
             {{"for_seconds", away().count()}, {"error", why_}});
  announce_(kube::Severity::warning,
            "SlurmUnreachable",
            fmt::format("Slurm has not served us for {} s: {}. Pods that run go on; new ones wait.",
                        kReportAfter.count(),
                        why_));
}

void SlurmContact::report_restored() {
  lost_reported_ = false;
  log_.info("Slurm serves us again", {{"after_seconds", away().count()}});
  announce_(kube::Severity::normal, "SlurmReachable", "Slurm serves us again.");
}

}  // namespace bridge::process
