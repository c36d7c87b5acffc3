// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/token_watch.h"

#include "base/backoff.h"
#include "bridge/process/timing.h"

#include <utility>

namespace bridge::process {
namespace {

using namespace std::chrono_literals;

// With back-off: each check is a request to slurmctld, and a site's plugin may give an answer that
// we never understand.
constexpr base::BackoffPolicy kCheckUnknown{30s, 1h};

}  // namespace

TokenWatch::TokenWatch(net::Loop& loop, slurm::Client& client, slurm::TokenUse use, base::Log log)
    : loop_(loop), client_(client), use_(std::move(use)), log_(std::move(log)) {}

net::Task<void> TokenWatch::run() {
  base::Backoff unknown(kCheckUnknown, [this] { return loop_.random(); });
  for (;;) {
    auto check = co_await slurm::check_token(client_, use_, loop_.in(kCheckTokenTimeout));
    if (!check.ok()) co_return;
    take(*std::move(check));
    if (latest_.verdict == Verdict::fine) co_return;
    const base::Duration wait =
        latest_.verdict == Verdict::wrong ? kCheckWrongTokenEvery : unknown.next();
    if (!(co_await loop_.sleep_for(wait)).ok()) co_return;
  }
}

void TokenWatch::take(slurm::TokenCheck check) {
  const bool was_wrong = latest_.verdict == Verdict::wrong;
  switch (check.verdict) {
    case Verdict::fine:
      if (complained_) log_.info("Slurm takes jobs under our token now");
      if (!check.message.empty()) log_.warn(check.message);
      break;
    case Verdict::wrong:
      if (!complained_ || check.message != latest_.message ||
          loop_.now() >= *complained_ + kComplainEvery) {
        complained_ = loop_.now();
        log_.error("Slurm will refuse all our jobs", {{"error", check.message}});
      }
      break;
    case Verdict::unknown:
      if (!std::exchange(unknown_reported_, true))
        log_.info("cannot tell yet whether Slurm takes jobs under our token",
                  {{"because", check.message}});
      // An unknown result, such as an absent server, does not replace the verdict `wrong`.
      if (was_wrong) return;
      break;
  }
  latest_ = std::move(check);
}

}  // namespace bridge::process
