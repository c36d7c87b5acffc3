// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace slurmop::process {

// The namespaces of SLURM_OPERATOR_WATCH_NAMESPACES: "*" or empty for all (an empty result), else
// one name or several separated by commas, each once.
//
// Errors      invalid  a part is not the name of a namespace, or "*" is mixed with names
base::Result<std::vector<std::string>> watched_namespaces(std::string_view text);

}  // namespace slurmop::process
