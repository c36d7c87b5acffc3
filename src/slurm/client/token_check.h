// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "net/async/task.h"
#include "slurm/client/client.h"

#include <string>
#include <vector>

namespace slurm::inline client {

// What the bridge will use the token for.
struct TokenUse {
  std::string partition;  // empty: Slurm's default one
  std::string account;    // empty: the user's default one
};

// Whether Slurm will take our jobs under this token.
struct TokenCheck {
  enum class Verdict {
    fine,
    wrong,    // no submit can succeed; `message` is for the administrator, with the remedy
    unknown,  // it cannot be told now; `message` says why
  };
  Verdict verdict = Verdict::unknown;
  std::string message;  // empty if fine, unless a job of the check could not be cancelled

  friend bool operator==(const TokenCheck&, const TokenCheck&) = default;
};

// Asks Slurm for a job that it must refuse, and sees for what: slurmctld looks at the right to
// carry an identity first, then at the partition, then at the account, and last at a licence that
// does not exist. So the answer is that of a real submit. This order was seen with 26.05.5 and
// slurmdbd; another order would at worst give `fine` where a real submit is refused.
//
// Guarantees  slurmctld keeps no job and uses up no job id. Should a site's plugin let the job
//             through all the same, it is held, and cancelled at once.
// Errors      cancelled only.
net::Task<base::Result<TokenCheck>> check_token(Client& client,
                                                TokenUse use,
                                                base::Instant deadline);

// The job that it asks for.
JobRequest token_check_request(const TokenUse& use);

// The verdict that follows from Slurm's refusal. `user` is whom the token names, "" if it does not
// say.
TokenCheck judge_refusal(const base::Error& refusal, const std::string& user, const TokenUse& use);

// What to do about a refused account; `known` are the user's associations.
std::string account_remedy(const std::string& user,
                           const TokenUse& use,
                           const std::vector<Association>& known);

}  // namespace slurm::inline client
