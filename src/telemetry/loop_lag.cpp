// SPDX-License-Identifier: Apache-2.0
#include "telemetry/loop_lag.h"

#include "net/async/loop.h"

namespace telemetry {

net::Task<void> measure_loop_lag(net::Loop& loop, Histogram& lag, base::Duration interval) {
  for (;;) {
    const base::Instant due = loop.in(interval);
    if (!(co_await loop.sleep_until(due)).ok()) co_return;
    lag.observe(std::chrono::duration<double>(loop.now() - due).count());
  }
}

Histogram& loop_lag_histogram(Metrics& metrics) {
  return metrics.histogram({"event_loop_lag_seconds", "How late the event loop ran a timer."});
}

}  // namespace telemetry
