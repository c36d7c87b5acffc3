// SPDX-License-Identifier: Apache-2.0
#include "net/async/task_group.h"

#include "net/testing/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace net::inline async {
namespace {

using base::Instant;
using base::Kind;
using ::testing::ElementsAre;
using testing::VirtualWorld;
using namespace std::chrono_literals;

TEST(TaskGroup, RunsTasksInSpawnOrderInALaterTurn) {
  VirtualWorld world;
  std::vector<std::string> seen;
  const auto note = [&seen](std::string what) -> Task<void> {
    seen.push_back(std::move(what));
    co_return;
  };
  world.tasks.spawn("outer", [&]() -> Task<void> {
    world.tasks.spawn("inner", note("inner"));
    seen.emplace_back("outer");
    co_return;
  });
  world.tasks.spawn("second", note("second"));
  EXPECT_TRUE(seen.empty());
  EXPECT_THAT(world.tasks.names(), ElementsAre("outer", "second"));
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(seen, ElementsAre("outer", "second", "inner"));
  EXPECT_TRUE(world.tasks.empty());
}

TEST(TaskGroup, KeepsACallableAliveWhileItsTaskRuns) {
  VirtualWorld world;
  std::string seen;
  {
    auto owned = std::make_unique<std::string>("captured");
    world.tasks.spawn("capturing", [&, owned = std::move(owned)]() -> Task<void> {
      (void)co_await world.loop.sleep_for(1s);
      seen = *owned;
    });
  }
  world.loop.run_virtual(world.clock);
  EXPECT_EQ(seen, "captured");
}

TEST(TaskGroup, JoinWaitsForAllTasks) {
  VirtualWorld world;
  TaskGroup group(world.loop);
  for (const auto time : {3s, 1s, 2s}) {
    group.spawn("sleeper",
                [&world, time]() -> Task<void> { (void)co_await world.loop.sleep_for(time); });
  }
  world.run(group.join());
  EXPECT_EQ(world.loop.now(), Instant(3s));
  EXPECT_TRUE(group.empty());
  world.run(group.join());  // nothing to wait for
}

TEST(TaskGroup, JoinContinuesToWaitWhenItsTaskIsCancelled) {
  VirtualWorld world;
  TaskGroup inner(world.loop);
  TaskGroup outer(world.loop);
  std::vector<std::string> seen;
  inner.spawn("slow to end", [&]() -> Task<void> {
    (void)co_await world.loop.sleep_for(5s);
    seen.emplace_back("inner");
  });
  outer.spawn("joiner", [&]() -> Task<void> {
    co_await inner.join();
    seen.emplace_back("joined");
  });
  world.loop.run_virtual(world.clock, Instant(1s));
  outer.cancel();
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(seen, ElementsAre("inner", "joined"));
}

TEST(TaskGroup, CancelReachesTasksThatHaveNotStartedAndThoseSpawnedLater) {
  VirtualWorld world;
  TaskGroup group(world.loop);
  std::vector<Kind> kinds;
  const auto sleep = [&]() -> Task<void> {
    const auto slept = co_await world.loop.sleep_for(1h);
    kinds.push_back(slept.error().kind());
  };
  group.spawn("not started", sleep);
  group.cancel();
  group.spawn("later", sleep);
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(kinds, ElementsAre(Kind::cancelled, Kind::cancelled));
  EXPECT_EQ(world.loop.now(), Instant());
}

TEST(TaskGroup, CancellingTwiceAndAfterTheEndIsHarmless) {
  VirtualWorld world;
  TaskGroup group(world.loop);
  group.spawn("sleeper", [&]() -> Task<void> {
    (void)co_await world.loop.sleep_for(1h);
    (void)co_await world.loop.sleep_for(1h);
  });
  world.loop.run_virtual(world.clock, Instant(1s));
  group.cancel();
  group.cancel();
  world.loop.run_virtual(world.clock);
  EXPECT_TRUE(group.empty());
  group.cancel();
}

TEST(TaskGroup, ManyTasksEndInTheSameOrderEveryTime) {
  const auto history = [] {
    VirtualWorld world;
    std::vector<int> order;
    for (int i = 0; i < 200; ++i) {
      world.tasks.spawn("worker", [&world, &order, i]() -> Task<void> {
        for (int step = 0; step < 5; ++step)
          (void)co_await world.loop.sleep_for(std::chrono::milliseconds(world.loop.random() % 7));
        order.push_back(i);
      });
    }
    world.loop.run_virtual(world.clock);
    return order;
  };
  const auto first = history();
  EXPECT_EQ(first.size(), 200U);
  EXPECT_EQ(first, history());
}

TEST(TaskGroupDeath, AnEscapedExceptionNamesItsTask) {
  EXPECT_DEATH(
      {
        VirtualWorld world;
        world.tasks.spawn("careless", []() -> Task<void> {
          throw std::runtime_error("what a surprise");
          co_return;
        });
        world.loop.run_virtual(world.clock);
      },
      "fatal: task careless: what a surprise");
}

TEST(TaskGroupDeath, DestroyingAGroupWithRunningTasksNamesThem) {
  EXPECT_DEATH(
      {
        base::VirtualClock clock;
        Loop loop(clock);
        TaskGroup group(loop);
        group.spawn("forgotten",
                    [&]() -> Task<void> { (void)co_await loop.sleep_until(base::kNever); });
        loop.run_virtual(clock);
      },
      "a task group was destroyed while these ran: forgotten");
}

}  // namespace
}  // namespace net::inline async
