// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>

namespace net::inline files {

// The content of a configuration, certificate or token file. Local and small, so reading it does
// not hold up the loop noticeably. Kind::invalid, with the path, if it cannot be read or is larger
// than `most` bytes.
base::Result<std::string> read_small_file(const std::string& path, std::size_t most = 1UL << 20U);

}  // namespace net::inline files
