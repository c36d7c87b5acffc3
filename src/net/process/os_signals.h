// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/async/fwd.h"
#include "net/async/task.h"

#include <vector>

namespace net::inline process {

// Waits for one of the signals and returns its number; 0 if the task was cancelled first.
Task<int> wait_for_signal(Loop& loop, std::vector<int> numbers);

// SIGTERM or SIGINT.
Task<int> wait_for_stop_signal(Loop& loop);

}  // namespace net::inline process
