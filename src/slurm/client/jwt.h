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

// The claims in a token that the bridge uses.
struct TokenClaims {
  std::string user;
  std::optional<base::WallTime> expires;
};

// Reads the claims without checking the signature: for messages only, never to decide whether a
// token is valid. No error message contains the token.
base::Result<TokenClaims> claims(const base::Secret& token);

}  // namespace slurm::inline client
