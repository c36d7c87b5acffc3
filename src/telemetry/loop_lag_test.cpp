// SPDX-License-Identifier: Apache-2.0
#include "telemetry/loop_lag.h"

#include "net/testing/loop.h"

#include <gtest/gtest.h>

namespace telemetry {
namespace {

using base::Instant;
using net::testing::VirtualWorld;
using namespace std::chrono_literals;

TEST(LoopLag, IsZeroWhileNothingBlocksTheLoop) {
  VirtualWorld world;
  Metrics metrics;
  Histogram& lag = loop_lag_histogram(metrics);
  world.tasks.spawn("lag", measure_loop_lag(world.loop, lag, 1s));
  world.loop.run_virtual(world.clock, Instant(10s));
  EXPECT_EQ(lag.count(), 10U);
  EXPECT_EQ(lag.sum(), 0);
}

TEST(LoopLag, ShowsHowLongAHandlerBlockedTheLoop) {
  VirtualWorld world;
  Metrics metrics;
  Histogram& lag = loop_lag_histogram(metrics);
  world.tasks.spawn("lag", measure_loop_lag(world.loop, lag, 1s));
  const net::Timer busy =
      world.loop.timers().arm(Instant(900ms), [&] { world.clock.advance_to(Instant(1400ms)); });
  world.loop.run_virtual(world.clock, Instant(2s));
  EXPECT_EQ(lag.count(), 1U);
  EXPECT_DOUBLE_EQ(lag.sum(), 0.4);
  world.loop.run_virtual(world.clock, Instant(3s));
  EXPECT_EQ(lag.count(), 2U) << "measuring continues";
  EXPECT_DOUBLE_EQ(lag.sum(), 0.4);
}

}  // namespace
}  // namespace telemetry
