// SPDX-License-Identifier: Apache-2.0
#include "net/async/signal.h"

#include "net/testing/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace net::inline async {
namespace {

using base::Instant;
using base::Kind;
using ::testing::ElementsAre;
using testing::VirtualWorld;
using namespace std::chrono_literals;

struct SignalTest : ::testing::Test {
  // Waits repeatedly and records how and when each wait ended.
  void watch(std::string name, base::Duration patience) {
    world.tasks.spawn(name, [this, name, patience]() -> Task<void> {
      for (;;) {
        const auto woken = co_await signal.wait_until(world.loop.in(patience));
        if (!woken.ok()) co_return seen.push_back(name + " cancelled");
        const auto seconds =
            std::chrono::duration_cast<std::chrono::seconds>(world.loop.now().time_since_epoch());
        seen.push_back(name + (*woken ? " notified at " : " saw time pass at ") +
                       std::to_string(seconds.count()));
      }
    });
  }

  VirtualWorld world;
  Signal signal{world.loop};
  std::vector<std::string> seen;

  void TearDown() override {
    world.tasks.cancel();
    world.loop.run_virtual(world.clock);
  }
};

TEST_F(SignalTest, WakesAllWaitersInOrder) {
  watch("a", 1h);
  watch("b", 1h);
  world.loop.run_virtual(world.clock, Instant(3s));
  signal.notify();
  EXPECT_TRUE(seen.empty()) << "no task runs inside notify()";
  world.loop.run_virtual(world.clock, Instant(4s));
  EXPECT_THAT(seen, ElementsAre("a notified at 3", "b notified at 3"));
}

TEST_F(SignalTest, OneNotificationIsKeptWithoutAWaiter) {
  signal.notify();
  signal.notify();
  watch("a", 5s);
  world.loop.run_virtual(world.clock, Instant(6s));
  EXPECT_THAT(seen, ElementsAre("a notified at 0", "a saw time pass at 5"));
}

TEST_F(SignalTest, SeveralNotificationsBeforeTheWaiterRunsAreOne) {
  watch("a", 5s);
  world.loop.run_virtual(world.clock, Instant(1s));
  signal.notify();
  signal.notify();
  world.loop.run_virtual(world.clock, Instant(7s));
  EXPECT_THAT(seen, ElementsAre("a notified at 1", "a saw time pass at 6"));
}

TEST_F(SignalTest, ANotificationAfterTheDeadlineIsKeptForTheNextWait) {
  const Timer before = world.loop.timers().arm(Instant(5s), [] {});
  watch("a", 5s);
  world.loop.run_virtual(world.clock, Instant(1s));
  // Armed after the waiter's own timer: fires in the same round, before the waiter continues.
  const Timer notify = world.loop.timers().arm(Instant(5s), [&] { signal.notify(); });
  world.loop.run_virtual(world.clock, Instant(6s));
  EXPECT_THAT(seen, ElementsAre("a saw time pass at 5", "a notified at 5"));
}

TEST_F(SignalTest, CancellingEndsTheWaitAndLaterOnesAtOnce) {
  watch("a", 1h);
  world.loop.run_virtual(world.clock, Instant(1s));
  world.tasks.cancel();
  signal.notify();
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(seen, ElementsAre("a cancelled"));
  watch("b", 1h);
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(seen, ElementsAre("a cancelled", "b cancelled"));
}

TEST(SignalDeath, MustNotBeDestroyedWhileATaskWaits) {
  EXPECT_DEATH(
      {
        VirtualWorld world;
        Signal signal(world.loop);
        world.tasks.spawn("waiter", [&]() -> Task<void> { (void)co_await signal.wait(); });
        world.loop.run_virtual(world.clock);
      },
      "a Signal was destroyed while a task waited for it");
}

}  // namespace
}  // namespace net::inline async
