// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"

#include <chrono>
#include <string_view>

// Tokens as slurmctld issues them.
namespace slurm::testing {

// mint_token(), for tests.
base::Result<base::Secret> mint(const base::Secret& key,
                                std::string_view user,
                                std::chrono::seconds lifetime,
                                base::WallTime now);

}  // namespace slurm::testing
