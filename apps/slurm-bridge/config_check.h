// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings.h"

#include <span>
#include <string_view>

namespace app {

// "slurm-bridge config check FILE": reads a configuration strictly, together with the environment,
// and shows the result, each value with its origin.
//
// Expects     the arguments after "config".
// Guarantees  exit code 0 only for a file with which a bridge would start without a warning; no
//             secret is shown.
// Does not    judge what is not in the file: a missing token is shown, but is not an error.
Command config_command(std::span<const std::string_view> arguments);

}  // namespace app
