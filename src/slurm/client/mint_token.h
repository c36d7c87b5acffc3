// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"

#include <chrono>
#include <string>
#include <string_view>

namespace slurm::inline client {

// Signs a token for the user as `scontrol token` does: HS256 with the bytes of Slurm's jwt.key.
// Errors      invalid  the key is empty.
base::Result<base::Secret> mint_token(const base::Secret& key,
                                      std::string_view user,
                                      std::chrono::seconds lifetime,
                                      base::WallTime now);

// A token that is minted again before it expires.
//
// Expects     a clock that outlives it and agrees with slurmctld's to less than half of the lifetime.
// Guarantees  a token is at most half of its lifetime old when it is returned; after set_key() and
//             refused() the next token is a new one. Without a key the error is
//             Kind::unauthorized.
// Does not    check that Slurm has the same key: a rejected token shows it.
class TokenMint {
 public:
  TokenMint(base::Secret key,
            std::string user,
            std::chrono::seconds lifetime,
            const base::Clock& clock);

  base::Result<base::Secret> token();
  void set_key(base::Secret key);
  void refused() { token_ = base::Secret(); }

 private:
  bool is_fresh(base::WallTime now) const;

  base::Secret key_;
  std::string user_;
  std::chrono::seconds lifetime_;
  const base::Clock* clock_;
  base::Secret token_;  // empty: to be minted
  base::WallTime minted_at_{};
};

}  // namespace slurm::inline client
