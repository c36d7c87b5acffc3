// SPDX-License-Identifier: Apache-2.0
#include "net/async/timers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace net::inline async {
namespace {

using base::Instant;
using base::VirtualClock;
using ::testing::ElementsAre;
using namespace std::chrono_literals;

Instant at(std::chrono::nanoseconds time) {
  return Instant(time);
}

struct TimersTest : ::testing::Test {
  Timer note(Instant when, std::string what) {
    return timers.arm(when, [this, what] { fired.push_back(what); });
  }

  VirtualClock clock;
  Timers timers{clock};
  std::vector<std::string> fired;
};

TEST_F(TimersTest, FireInOrderOfTimeAndThenOfArming) {
  const Timer a = note(at(2s), "a");
  const Timer b = note(at(1s), "b");
  const Timer c = note(at(2s), "c");
  clock.advance_to(at(3s));
  EXPECT_EQ(timers.fire_due(), 3U);
  EXPECT_THAT(fired, ElementsAre("b", "a", "c"));
  EXPECT_FALSE(a.armed());
  EXPECT_EQ(timers.next(), std::nullopt);
}

TEST_F(TimersTest, DoNotFireBeforeTheirTime) {
  const Timer a = note(at(2s), "a");
  clock.advance_to(at(2s) - 1ns);
  EXPECT_EQ(timers.fire_due(), 0U);
  EXPECT_TRUE(a.armed());
  EXPECT_EQ(timers.next(), at(2s));
  clock.advance_to(at(2s));
  EXPECT_EQ(timers.fire_due(), 1U);
}

TEST_F(TimersTest, DestroyingCancellingAndOverwritingDisarm) {
  {
    const Timer a = note(at(1s), "a");
  }
  Timer b = note(at(1s), "b");
  b.cancel();
  Timer c = note(at(1s), "c");
  c = note(at(1s), "d");
  Timer moved = std::move(c);
  clock.advance_to(at(1s));
  timers.fire_due();
  EXPECT_THAT(fired, ElementsAre("d"));
}

TEST_F(TimersTest, NeverIsNotArmed) {
  const Timer a = note(base::kNever, "a");
  EXPECT_FALSE(a.armed());
  EXPECT_EQ(timers.next(), std::nullopt);
}

TEST_F(TimersTest, ACallbackMayCancelOthersAndItself) {
  Timer self;
  Timer other;
  self = timers.arm(at(1s), [&] {
    fired.emplace_back("self");
    self.cancel();
    other.cancel();
  });
  other = note(at(1s), "other");
  clock.advance_to(at(1s));
  EXPECT_EQ(timers.fire_due(), 1U);
  EXPECT_THAT(fired, ElementsAre("self"));
}

TEST_F(TimersTest, ATimerArmedByACallbackFiresInALaterRoundEvenIfDue) {
  std::vector<Timer> more;
  const Timer first = timers.arm(at(1s), [&] {
    fired.emplace_back("first");
    more.push_back(note(at(0s), "armed for the past"));
  });
  const Timer second = note(at(1s), "second");
  clock.advance_to(at(1s));
  EXPECT_EQ(timers.fire_due(), 2U);
  EXPECT_EQ(timers.fire_due(), 1U);
  EXPECT_THAT(fired, ElementsAre("first", "second", "armed for the past"));
}

TEST_F(TimersTest, ACallbackMayOwnItsOwnTimer) {
  auto owner = std::make_shared<Timer>();
  *owner = timers.arm(at(1s), [this, owner] { fired.emplace_back("owner"); });
  owner.reset();
  clock.advance_to(at(1s));
  timers.fire_due();
  EXPECT_THAT(fired, ElementsAre("owner"));
}

TEST_F(TimersTest, ReportsAChangeOfTheEarliestTimer) {
  int changes = 0;
  Timers reporting(clock, [&] { ++changes; });
  Timer late = reporting.arm(at(5s), [] {});
  EXPECT_EQ(changes, 1);
  Timer later = reporting.arm(at(6s), [] {});
  EXPECT_EQ(changes, 1);
  Timer early = reporting.arm(at(1s), [] {});
  EXPECT_EQ(changes, 2);
  later.cancel();
  EXPECT_EQ(changes, 2);
  early.cancel();
  EXPECT_EQ(changes, 3);
}

// The model: a list of (instant, number) that is searched for the smallest element.
RC_GTEST_PROP(TimersProperty, BehaveLikeASortedList, ()) {
  VirtualClock clock;
  Timers timers(clock);
  std::map<int, Timer> handles;
  std::vector<std::pair<Instant, int>> model;
  std::vector<int> fired;
  int next_id = 0;

  const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 4), rc::gen::inRange(0, 20)));
  for (const auto& [action, number] : steps) {
    if (action <= 1) {
      const Instant when = clock.now() + std::chrono::seconds(number) - 5s;
      const int id = next_id++;
      handles[id] = timers.arm(when, [&fired, id] { fired.push_back(id); });
      model.emplace_back(when, id);
    } else if (action == 2) {
      handles.erase(number);
      std::erase_if(model, [&](const auto& entry) { return entry.second == number; });
    } else {
      clock.advance_to(clock.now() + std::chrono::seconds(number));
      fired.clear();
      timers.fire_due();
      std::ranges::sort(model);
      std::vector<int> expected;
      while (!model.empty() && model.front().first <= clock.now()) {
        expected.push_back(model.front().second);
        model.erase(model.begin());
      }
      RC_ASSERT(fired == expected);
    }
    RC_ASSERT(timers.size() == model.size());
    const auto earliest = std::ranges::min_element(model);
    RC_ASSERT(timers.next() ==
              (model.empty() ? std::nullopt : std::optional<Instant>(earliest->first)));
  }
}

}  // namespace
}  // namespace net::inline async
