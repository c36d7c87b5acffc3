// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace slurmop::agent {

// The last bytes of a file; empty if it cannot be read.
std::string log_tail(const std::string& path, std::size_t most = 64UL << 10U);

}  // namespace slurmop::agent
