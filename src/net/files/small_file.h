// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>

namespace net::inline files {

// Reads a configuration, certificate or token file. Such files are local and small, so reading them
// blocks the loop only briefly. Kind::invalid, with the path, if the file cannot be read or is
// larger than `most` bytes.
base::Result<std::string> read_small_file(const std::string& path, std::size_t most = 1UL << 20U);

}  // namespace net::inline files
