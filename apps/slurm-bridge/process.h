// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings.h"

namespace app {

// Runs the role until SIGTERM or SIGINT and returns the exit code.
int run(const Settings& settings);

// "slurm-bridge plan-taints": prints which running pods the taint would evict, node by node, and
// changes nothing. Returns the exit code.
int plan_taints(const Settings& settings);

}  // namespace app
