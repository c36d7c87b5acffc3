// SPDX-License-Identifier: Apache-2.0
#include "net/async/semaphore.h"

#include "net/testing/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace net::inline async {
namespace {

using base::Instant;
using ::testing::ElementsAre;
using testing::VirtualWorld;
using namespace std::chrono_literals;

struct SemaphoreTest : ::testing::Test {
  void visit(std::string name, base::Duration patience, base::Duration stay) {
    world.tasks.spawn(name, [=, this]() -> Task<void> {
      auto permit = co_await semaphore.acquire(world.loop.in(patience));
      if (!permit.ok()) co_return seen.push_back(name + " cancelled");
      if (!*permit) co_return seen.push_back(name + " gave up");
      seen.push_back(name + " in");
      (void)co_await world.loop.sleep_for(stay);
      seen.push_back(name + " out");
    });
  }

  VirtualWorld world;
  Semaphore semaphore{world.loop, 1};
  std::vector<std::string> seen;
};

TEST_F(SemaphoreTest, FirstComeFirstServed) {
  visit("a", 1h, 1s);
  visit("b", 1h, 1s);
  visit("c", 1h, 1s);
  world.loop.run_virtual(world.clock, Instant(0s));
  EXPECT_EQ(semaphore.waiting(), 2U);
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(seen, ElementsAre("a in", "a out", "b in", "b out", "c in", "c out"));
  EXPECT_EQ(semaphore.in_use(), 0U);
}

TEST_F(SemaphoreTest, AWaiterThatTimesOutDoesNotDelayOthers) {
  visit("a", 1h, 10s);
  visit("b", 5s, 1s);
  visit("c", 1h, 1s);
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(seen, ElementsAre("a in", "b gave up", "a out", "c in", "c out"));
}

TEST_F(SemaphoreTest, APermitGivenToACancelledTaskIsNotLost) {
  TaskGroup others(world.loop);
  visit("a", 1h, 10s);
  others.spawn("b", [&]() -> Task<void> {
    auto permit = co_await semaphore.acquire(base::kNever);
    seen.emplace_back(permit.ok() ? "b in" : "b cancelled");
  });
  world.loop.run_virtual(world.clock, Instant(1s));
  // At the same instant at which the permit becomes free.
  const Timer cancel = world.loop.timers().arm(Instant(10s), [&] { others.cancel(); });
  visit("c", 1h, 1s);
  world.loop.run_virtual(world.clock);
  EXPECT_EQ(seen.back(), "c out");
  EXPECT_EQ(semaphore.in_use(), 0U);
}

RC_GTEST_PROP(SemaphoreProperty, NeverMorePermitsThanTheLimitAndEveryWaiterIsServedOrTimesOut, ()) {
  VirtualWorld world;
  const auto limit = *rc::gen::inRange<std::size_t>(1, 4);
  Semaphore semaphore(world.loop, limit);
  std::size_t inside = 0;
  std::size_t ended = 0;
  bool too_many = false;
  const auto visits = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 10), rc::gen::inRange(0, 10)));
  for (const auto& [patience, stay] : visits) {
    world.tasks.spawn("visitor", [&, p = patience, s = stay]() -> Task<void> {
      {
        auto permit = co_await semaphore.acquire(world.loop.in(std::chrono::seconds(p)));
        if (permit.ok() && *permit) {
          too_many = too_many || ++inside > limit;
          (void)co_await world.loop.sleep_for(std::chrono::seconds(s));
          --inside;
        }
      }
      ++ended;
    });
  }
  world.loop.run_virtual(world.clock);
  RC_ASSERT(!too_many);
  RC_ASSERT(ended == visits.size());
  RC_ASSERT(semaphore.in_use() == 0U && semaphore.waiting() == 0U);
}

}  // namespace
}  // namespace net::inline async
