// SPDX-License-Identifier: Apache-2.0
#include "net/async/turnstile.h"

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

struct TurnstileTest : ::testing::Test {
  void visit(std::string name, base::Duration patience, base::Duration stay) {
    world.tasks.spawn(name, [=, this]() -> Task<void> {
      auto pass = co_await turnstile.enter(world.loop.in(patience));
      if (!pass.ok()) co_return seen.push_back(name + " cancelled");
      if (!*pass) co_return seen.push_back(name + " gave up");
      seen.push_back(name + " in");
      (void)co_await world.loop.sleep_for(stay);
      seen.push_back(name + " out");
    });
  }

  VirtualWorld world;
  Turnstile turnstile{world.loop, 1};
  std::vector<std::string> seen;
};

TEST_F(TurnstileTest, FirstComeFirstServed) {
  visit("a", 1h, 1s);
  visit("b", 1h, 1s);
  visit("c", 1h, 1s);
  world.loop.run_virtual(world.clock, Instant(0s));
  EXPECT_EQ(turnstile.waiting(), 2U);
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(seen, ElementsAre("a in", "a out", "b in", "b out", "c in", "c out"));
  EXPECT_EQ(turnstile.inside(), 0U);
}

TEST_F(TurnstileTest, WhoGivesUpDoesNotHoldUpTheOthers) {
  visit("a", 1h, 10s);
  visit("b", 5s, 1s);
  visit("c", 1h, 1s);
  world.loop.run_virtual(world.clock);
  EXPECT_THAT(seen, ElementsAre("a in", "b gave up", "a out", "c in", "c out"));
}

TEST_F(TurnstileTest, APlaceThatWasGivenToACancelledTaskIsNotLost) {
  TaskGroup others(world.loop);
  visit("a", 1h, 10s);
  others.spawn("b", [&]() -> Task<void> {
    auto pass = co_await turnstile.enter(base::kNever);
    seen.emplace_back(pass.ok() ? "b in" : "b cancelled");
  });
  world.loop.run_virtual(world.clock, Instant(1s));
  // At the very instant at which the place becomes free.
  const Timer cancel = world.loop.timers().arm(Instant(10s), [&] { others.cancel(); });
  visit("c", 1h, 1s);
  world.loop.run_virtual(world.clock);
  EXPECT_EQ(seen.back(), "c out");
  EXPECT_EQ(turnstile.inside(), 0U);
}

RC_GTEST_PROP(TurnstileProperty, NeverMoreInsideThanAllowedAndNobodyIsForgotten, ()) {
  VirtualWorld world;
  const auto limit = *rc::gen::inRange<std::size_t>(1, 4);
  Turnstile turnstile(world.loop, limit);
  std::size_t inside = 0;
  std::size_t ended = 0;
  bool too_many = false;
  const auto visits = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 10), rc::gen::inRange(0, 10)));
  for (const auto& [patience, stay] : visits) {
    world.tasks.spawn("visitor", [&, p = patience, s = stay]() -> Task<void> {
      {
        auto pass = co_await turnstile.enter(world.loop.in(std::chrono::seconds(p)));
        if (pass.ok() && *pass) {
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
  RC_ASSERT(turnstile.inside() == 0U && turnstile.waiting() == 0U);
}

}  // namespace
}  // namespace net::inline async
