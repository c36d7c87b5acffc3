// SPDX-License-Identifier: Apache-2.0
#include "net/async/loop.h"

#include "net/testing/loop.h"

#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace net::inline async {
namespace {

using base::Instant;
using base::Kind;
using base::Result;
using ::testing::ElementsAre;
using testing::RealWorld;
using testing::VirtualWorld;
using namespace std::chrono_literals;

TEST(Loop, ALongSleepTakesNoTimeOnVirtualTime) {
  VirtualWorld world;
  const Instant begin = world.loop.now();
  const auto wall = world.clock.wall();
  const auto slept = world.run(world.loop.sleep_for(27h));
  EXPECT_TRUE(slept.ok());
  EXPECT_EQ(world.loop.now() - begin, 27h);
  EXPECT_EQ(world.clock.wall() - wall, 27h);
}

TEST(Loop, VirtualTimeStopsAtUntil) {
  VirtualWorld world;
  std::vector<std::string> seen;
  world.tasks.spawn("ticker", [&]() -> Task<void> {
    while ((co_await world.loop.sleep_for(10s)).ok()) seen.emplace_back("tick");
  });
  world.loop.run_virtual(world.clock, world.loop.in(25s));
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_EQ(world.loop.now(), Instant(25s));
  world.loop.run_virtual(world.clock, world.loop.in(5s));
  EXPECT_EQ(seen.size(), 3U);
}

TEST(Loop, SleepersOfOneInstantWakeInTheOrderOfTheirSleeps) {
  VirtualWorld world;
  std::vector<std::string> woken;
  for (const char* name : {"a", "b", "c"}) {
    world.tasks.spawn(name, [&world, &woken, name]() -> Task<void> {
      (void)co_await world.loop.sleep_until(Instant(1s));
      woken.emplace_back(name);
    });
  }
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(woken, ElementsAre("a", "b", "c"));
}

TEST(Loop, ASleepInThePastStillLetsOthersRun) {
  VirtualWorld world;
  std::vector<std::string> seen;
  world.tasks.spawn("busy", [&]() -> Task<void> {
    asio::post(world.loop.executor(), [&] { seen.emplace_back("other"); });
    (void)co_await world.loop.sleep_until(Instant::min());
    seen.emplace_back("busy");
  });
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(seen, ElementsAre("other", "busy"));
}

TEST(Loop, CancellingEndsASleepAndEveryLaterOne) {
  VirtualWorld world;
  std::vector<Kind> kinds;
  world.tasks.spawn("sleeper", [&]() -> Task<void> {
    for (int i = 0; i < 3; ++i) {
      const auto slept = co_await world.loop.sleep_until(base::kNever);
      kinds.push_back(slept.error().kind());
    }
  });
  world.loop.run_virtual(world.clock, Instant(1s));
  EXPECT_TRUE(kinds.empty());
  world.tasks.cancel();
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(kinds, ElementsAre(Kind::cancelled, Kind::cancelled, Kind::cancelled));
  EXPECT_TRUE(world.tasks.empty());
}

TEST(Loop, RunReadyRunsAllOfThisInstantAndDoesNotMoveTheClock) {
  VirtualWorld world;
  std::vector<std::string> seen;
  world.tasks.spawn("sleeper", [&]() -> Task<void> {
    for (int i = 0; i < 3; ++i) (void)co_await world.loop.sleep_for(0s);
    seen.emplace_back("now");
    (void)co_await world.loop.sleep_for(1s);
    seen.emplace_back("a second later");
  });
  EXPECT_TRUE(world.loop.run_ready());
  EXPECT_THAT(seen, ElementsAre("now"));
  EXPECT_EQ(world.loop.now(), Instant());
  EXPECT_FALSE(world.loop.run_ready()) << "nothing else is ready";
  EXPECT_EQ(world.loop.timers().next(), Instant(1s));

  world.clock.advance_to(Instant(1s));
  EXPECT_TRUE(world.loop.run_ready());
  EXPECT_THAT(seen, ElementsAre("now", "a second later"));
  EXPECT_FALSE(world.loop.run_ready());
}

TEST(Loop, SeveralLoopsShareOneVirtualClock) {
  base::VirtualClock clock;
  Loop a(clock, 1);
  Loop b(clock, 2);
  std::vector<std::string> seen;
  std::vector<Timer> timers;
  timers.push_back(a.timers().arm(Instant(2s), [&] {
    seen.emplace_back("a at 2 s");
    asio::post(b.executor(), [&] { seen.emplace_back("b called by a"); });
  }));
  timers.push_back(b.timers().arm(Instant(1s), [&] { seen.emplace_back("b at 1 s"); }));
  for (const Instant when : {Instant(1s), Instant(2s)}) {
    clock.advance_to(when);
    for (bool ran = true; ran;) {
      const bool first = a.run_ready();
      ran = b.run_ready() || first;
    }
  }
  EXPECT_THAT(seen, ElementsAre("b at 1 s", "a at 2 s", "b called by a"));
}

TEST(Loop, StopEndsRunReadyAndTheRestRunsTheNextTime) {
  VirtualWorld world;
  std::vector<std::string> seen;
  const Timer due = world.loop.timers().arm(world.loop.now(), [&] {
    seen.emplace_back("timer");
    asio::post(world.loop.executor(), [&] { seen.emplace_back("posted by the timer"); });
    world.loop.stop();
  });
  asio::post(world.loop.executor(), [&] {
    seen.emplace_back("first");
    world.loop.stop();
  });
  asio::post(world.loop.executor(), [&] { seen.emplace_back("second"); });
  EXPECT_TRUE(world.loop.run_ready());
  EXPECT_THAT(seen, ElementsAre("timer"));
  EXPECT_TRUE(world.loop.run_ready());
  EXPECT_THAT(seen, ElementsAre("timer", "first"));
  EXPECT_TRUE(world.loop.run_ready());
  EXPECT_THAT(seen, ElementsAre("timer", "first", "second", "posted by the timer"));
  EXPECT_FALSE(world.loop.run_ready());
}

TEST(Loop, InIsLimitedToNever) {
  VirtualWorld world;
  world.clock.advance_to(Instant(1h));
  EXPECT_EQ(world.loop.in(5s), Instant(1h + 5s));
  EXPECT_EQ(world.loop.in(base::Duration::max()), base::kNever);
}

TEST(Loop, ASeedRepeatsItsRandomNumbers) {
  base::VirtualClock clock;
  Loop a(clock, 1);
  Loop b(clock, 1);
  Loop c(clock, 2);
  const auto first = a.random();
  EXPECT_EQ(first, b.random());
  EXPECT_NE(first, c.random());
}

TEST(Loop, ARealTimeRunEndsWhenNothingIsLeft) {
  RealWorld world;
  bool fired = false;
  const Timer soon = world.loop.timers().arm(world.loop.in(1ms), [&] { fired = true; });
  world.loop.run();
  EXPECT_TRUE(fired);
}

TEST(Loop, ARealTimeRunDoesNotWaitForACancelledTimer) {
  RealWorld world;
  Timer late = world.loop.timers().arm(world.loop.in(24h), [] { FAIL(); });
  asio::post(world.loop.executor(), [&] { late.cancel(); });
  world.loop.run();  // would take a day
}

TEST(Loop, ARealTimeRunWakesForATimerArmedLaterAndDueEarlier) {
  RealWorld world;
  Timer late = world.loop.timers().arm(world.loop.in(24h), [] { FAIL(); });
  Timer early;
  asio::post(world.loop.executor(),
             [&] { early = world.loop.timers().arm(world.loop.in(1ms), [&] { late.cancel(); }); });
  world.loop.run();
}

TEST(Loop, ARealTimeSleepIsNotShorterThanRequested) {
  RealWorld world;
  const Instant begin = world.loop.now();
  EXPECT_TRUE(world.run(world.loop.sleep_for(3ms)).ok());
  EXPECT_GE(world.loop.now() - begin, 3ms);
}

TEST(Loop, AStoppedRunIsContinuedByTheNextRun) {
  RealWorld world;
  int ticks = 0;
  std::function<void()> tick;
  Timer timer;
  tick = [&] {
    if (++ticks % 2 == 0) world.loop.stop();
    if (ticks < 4) timer = world.loop.timers().arm(world.loop.in(1us), tick);
  };
  timer = world.loop.timers().arm(world.loop.now(), tick);
  world.loop.run();
  EXPECT_EQ(ticks, 2);
  world.loop.run();
  EXPECT_EQ(ticks, 4);
}

TEST(Loop, TimersFireWhileOtherWorkKeepsTheLoopBusy) {
  RealWorld world;
  bool done = false;
  std::function<void()> busy = [&] {
    if (!done) asio::post(world.loop.executor(), busy);
  };
  busy();
  const Timer end = world.loop.timers().arm(world.loop.in(1ms), [&] { done = true; });
  world.loop.run();
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace net::inline async
