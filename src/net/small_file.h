// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>

namespace net {

// The content of a configuration, certificate or token file. Local and small (at most 1 MiB), so
// reading it does not hold up the loop noticeably. Kind::invalid with the path and the reason.
base::Result<std::string> read_small_file(const std::string& path);

}  // namespace net
