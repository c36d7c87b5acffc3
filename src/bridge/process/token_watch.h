// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "net/async/loop.h"
#include "net/async/task.h"
#include "slurm/client/token_check.h"

#include <optional>
#include <string>

namespace bridge::process {

// Checks whether Slurm accepts jobs under our token. A token of the wrong user permits all reads,
// but every submit fails; the check reports this before the first pod fails.
//
// Guarantees  a wrong token is logged as an error at once, when the error changes, and every 10
//             minutes; an unknown result is logged once. The check is repeated until the token is
//             fine, because tokens are rotated.
// Does not    delay other tasks.
class TokenWatch {
 public:
  using Verdict = slurm::TokenCheck::Verdict;

  TokenWatch(net::Loop& loop, slurm::Client& client, slurm::TokenUse use, base::Log log);

  // Ends when the token is fine, or when it is cancelled.
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
  bool unknown_reported_ = false;
};

}  // namespace bridge::process
