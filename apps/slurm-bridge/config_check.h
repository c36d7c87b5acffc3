// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings.h"

#include <span>
#include <string_view>

namespace app {

// "slurm-bridge config check FILE": reads a configuration strictly, with the environment that it
// would meet, and shows what results, each value with who said so.
//
// Expects     the words after "config".
// Guarantees  exit code 0 only for a file that a bridge would start with, without a warning; no
//             secret is shown.
// Does not    judge what is not in the file: that there is no token here is said, no fault.
Command config_command(std::span<const std::string_view> words);

}  // namespace app
