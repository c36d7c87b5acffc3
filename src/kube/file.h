// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>

namespace kube {

// The content of a configuration, certificate or token file. Local and small (at most 1 MiB), so
// reading it does not hold up the loop noticeably.
base::Result<std::string> read_small_file(const std::string& path);

}  // namespace kube
