// SPDX-License-Identifier: Apache-2.0
#include "slurm/testing/hs256.h"

#include "slurm/client/mint_token.h"

namespace slurm::testing {

base::Result<base::Secret> mint(const base::Secret& key,
                                std::string_view user,
                                std::chrono::seconds lifetime,
                                base::WallTime now) {
  return mint_token(key, user, lifetime, now);
}

}  // namespace slurm::testing
