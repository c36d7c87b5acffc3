// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "net/async/loop.h"
#include "net/async/task.h"
#include "slurm/client/token_check.h"

#include <optional>
#include <string>

namespace bridge::process {

// Finds out whether Slurm will take our jobs, and says so loudly as long as it will not: a token of
// the wrong user lets us read everything, and then every pod fails for a reason nobody expects.
//
// Guarantees  a wrong token is an error in the log at once, and now and then while it stays; what
//             cannot be told is one line. Looks again until it is fine, for tokens are rotated.
// Does not    hold anybody up.
class TokenWatch {
 public:
  using Verdict = slurm::TokenCheck::Verdict;

  TokenWatch(net::Loop& loop, slurm::Client& client, slurm::TokenUse use, base::Log log);

  // Until the token is found to be fine, or cancelled.
  net::Task<void> run();

  const slurm::TokenCheck& latest() const { return latest_; }

 private:
  void take(slurm::TokenCheck check);

  net::Loop& loop_;
  slurm::Client& client_;
  slurm::TokenUse use_;
  base::Log log_;
  slurm::TokenCheck latest_;
  std::optional<base::Instant> complained_;
  bool said_unknown_ = false;
};

}  // namespace bridge::process
