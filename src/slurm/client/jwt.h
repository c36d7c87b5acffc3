// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace slurm::inline client {

// What a token says of itself.
struct TokenClaims {
  std::string user;
  std::optional<base::WallTime> expires;
};

// Reads the claims without checking the signature: for messages only, never for a decision about
// trust. No message repeats the token.
base::Result<TokenClaims> claims(const base::Secret& token);

}  // namespace slurm::inline client
