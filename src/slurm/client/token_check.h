// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "net/async/task.h"
#include "slurm/client/client.h"

#include <string>
#include <vector>

namespace slurm::inline client {

// How the bridge will use the token.
struct TokenUse {
  std::string partition;  // empty: Slurm's default partition
  std::string account;    // empty: the user's default account
};

// Whether Slurm will accept our jobs with this token.
struct TokenCheck {
  enum class Verdict {
    fine,
    wrong,    // no submit can succeed; `message` tells the administrator how to correct it
    unknown,  // the check had no result; `message` gives the reason
  };
  Verdict verdict = Verdict::unknown;
  std::string message;  // empty if fine, unless a job of the check could not be cancelled

  friend bool operator==(const TokenCheck&, const TokenCheck&) = default;
};

// Submits a job that Slurm must refuse, and derives the verdict from the reason of the refusal.
// slurmctld checks the permission to set an identity first, then the partition, then the account,
// and last a licence that does not exist, so the answer is the one that a real submit would get.
// This order was observed with 26.05.5 and slurmdbd. With another order, the worst result is `fine`
// where a real submit is refused.
//
// Guarantees  slurmctld keeps no job and uses no job id. If a plugin of the site lets the job pass,
//             the job is held and is cancelled at once.
// Errors      cancelled only.
net::Task<base::Result<TokenCheck>> check_token(Client& client,
                                                TokenUse use,
                                                base::Instant deadline);

// The job that the check submits.
JobRequest token_check_request(const TokenUse& use);

// The verdict that follows from Slurm's refusal. `user` is the user in the token, "" if it has
// none.
TokenCheck judge_refusal(const base::Error& refusal, const std::string& user, const TokenUse& use);

// The remedy for a refused account; `known` are the user's associations.
std::string account_remedy(const std::string& user,
                           const TokenUse& use,
                           const std::vector<Association>& known);

}  // namespace slurm::inline client
