// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings.h"

namespace app {

// Runs the role until SIGTERM or SIGINT and returns the exit code.
int run(const Settings& settings);

}  // namespace app
