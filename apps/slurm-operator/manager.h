// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings.h"

namespace operator_app {

// Runs the operator until it is stopped by a signal or another process leads. Returns the exit code.
int run_manager(const Settings& settings);

}  // namespace operator_app
