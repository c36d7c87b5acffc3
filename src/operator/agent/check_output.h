// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/agent/configuration.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace slurmop::agent {

inline constexpr std::size_t kLongestMessage = 2048;

// Returns why a Slurm program rejected a configuration, from what it printed: "slurm.conf line 49:
// unrecognized key: NoSuchKey".
//
// Guarantees  one line of valid UTF-8 without control characters, at most kLongestMessage bytes; not
//             empty. Where the output names a file or a key of slurm.conf, the message has the file
//             name (without its folder) and the line.
std::string explain(std::string_view output, const Configuration& configuration);

// Whether a message of explain() is about the machine and not about the configuration: a port is in
// use, no memory, no space. Such a check says nothing about the configuration.
bool is_machine_failure(std::string_view message);

}  // namespace slurmop::agent
