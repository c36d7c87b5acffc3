// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"

#include <cstddef>
#include <functional>
#include <span>

// Content of Secrets that the operator creates: random bytes, passwords and SSH host keys.
//
// Guarantees  everything secret is in a base::Secret, and intermediate buffers are zeroed; no error
//             message contains a part of a secret.
namespace slurmop::secrets {

// Fills the span with random bytes, completely or not at all.
using FillRandom = std::function<base::Result<void>(std::span<char>)>;

// Reads the random source of the kernel (getrandom), which waits until it is initialised.
base::Result<void> fill_from_system(std::span<char> into);

// The largest secret: more does not fit into a Secret of Kubernetes.
inline constexpr std::size_t kMostBytes = 512UL << 10U;

// Kind::invalid for 0 bytes or more than kMostBytes.
base::Result<base::Secret> random_bytes(std::size_t count,
                                        const FillRandom& fill = fill_from_system);

// Letters and digits, all 62 equally likely. Errors as random_bytes.
base::Result<base::Secret> random_password(std::size_t length = 32,
                                           const FillRandom& fill = fill_from_system);

}  // namespace slurmop::secrets
