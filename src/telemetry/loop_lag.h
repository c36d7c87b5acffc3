// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "net/async/fwd.h"
#include "net/async/task.h"
#include "telemetry/metrics.h"

#include <chrono>

namespace telemetry {

// Sleeps repeatedly and observes, in seconds, how late it woke up: that is how long the loop was
// blocked. Ends when it is cancelled.
net::Task<void> measure_loop_lag(net::Loop& loop,
                                 Histogram& lag,
                                 base::Duration interval = std::chrono::milliseconds(500));

// Registers the histogram "event_loop_lag_seconds".
Histogram& loop_lag_histogram(Metrics& metrics);

}  // namespace telemetry
