// SPDX-License-Identifier: Apache-2.0
// The queue on virtual time, compared with a model that has no queue, no timers and no tasks.
#include "kube/cache/work_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace kube::inline cache {
namespace {

using namespace std::chrono_literals;
using base::Duration;

// A request for a key, now or later.
struct Ask {
  Duration at;
  int key;
  std::optional<Duration> delay;
};

struct Start {
  int key;
  Duration at;
  friend auto operator<=>(const Start&, const Start&) = default;
};

constexpr Duration kWork = 5ms + 1ns;

// The result of the n-th run of a key: mostly on_change.
Requeue outcome(int key, int run) {
  const int kind = (key * 7 + run * 13) % 6;
  if (kind == 1 && run < 50) return Requeue::now();
  if (kind == 3 && run < 50) return Requeue::after(Duration(11ms) + Duration(key * 3 + run));
  return Requeue::on_change();
}

// When each key runs if there is no limit of concurrency.
std::vector<Start> model(const std::vector<Ask>& asks) {
  std::map<int, std::vector<Ask>> by_key;
  for (const Ask& ask : asks) by_key[ask.key].push_back(ask);
  std::vector<Start> starts;
  for (const auto& [key, own] : by_key) {
    std::size_t next = 0;
    int runs = 0;
    bool dirty = false;
    std::optional<Duration> due;        // a delayed request
    std::optional<Duration> run_until;  // while it runs
    const auto wanted = [&](Duration at) {
      due.reset();
      if (run_until) {
        dirty = true;
      } else {
        starts.push_back({key, at});
        run_until = at + kWork;
      }
    };
    for (;;) {
      const Duration never = Duration::max();
      const Duration asked = next < own.size() ? own[next].at : never;
      const Duration now = std::min({asked, due.value_or(never), run_until.value_or(never)});
      if (now == never) break;
      if (run_until == now) {
        run_until.reset();
        const Requeue requeue = outcome(key, runs++);
        if (dirty || requeue.when == Requeue::When::now) {
          dirty = false;
          wanted(now);
        } else if (requeue.when == Requeue::When::after) {
          due = std::min(due.value_or(never), now + requeue.delay);
        }
      } else if (due == now) {
        wanted(now);
      } else {
        const Ask& ask = own[next++];
        if (ask.delay) {
          due = std::min(due.value_or(never), now + *ask.delay);
        } else {
          wanted(now);
        }
      }
    }
  }
  std::ranges::sort(starts);
  return starts;
}

// The queue with the same requests.
struct Queue {
  explicit Queue(std::size_t concurrency)
      : queue(loop, tasks, concurrency, [this](int key) { return reconcile(key); }) {}

  net::Task<Requeue> reconcile(int key) {
    starts.push_back({key, loop.now().time_since_epoch()});
    twice_at_once = twice_at_once || !at_work.insert(key).second;
    most_at_once = std::max(most_at_once, at_work.size());
    (void)co_await loop.sleep_for(kWork);
    at_work.erase(key);
    co_return outcome(key, runs[key]++);
  }

  void play(const std::vector<Ask>& asks) {
    for (const Ask& ask : asks) {
      loop.run_virtual(clock, base::Instant(ask.at));
      if (ask.delay) {
        queue.add_after(ask.key, *ask.delay);
      } else {
        queue.add(ask.key);
      }
    }
    loop.run_virtual(clock);
  }

  base::VirtualClock clock;
  net::Loop loop{clock, 1};
  net::TaskGroup tasks{loop};
  std::vector<Start> starts;
  std::set<int> at_work;
  std::map<int, int> runs;
  std::size_t most_at_once = 0;
  bool twice_at_once = false;
  WorkQueue<int> queue;
};

// Times differ in their last digits, so that no two events are at the same instant.
std::vector<Ask> some_asks() {
  const auto raw = *rc::gen::container<std::vector<std::tuple<int, int, int>>>(
      rc::gen::tuple(rc::gen::inRange(0, 8), rc::gen::inRange(0, 5), rc::gen::inRange(-20, 30)));
  std::vector<Ask> asks;
  Duration now{};
  for (const auto& [pause, key, delay] : raw) {
    const auto number = static_cast<int>(asks.size());
    now += std::chrono::milliseconds(pause) + Duration(1000 + number);
    Ask ask{now, key, std::nullopt};
    if (delay >= 0) ask.delay = std::chrono::milliseconds(delay) + Duration(100'000 + number);
    asks.push_back(ask);
  }
  return asks;
}

TEST(WorkQueueProperty, WithoutALimitItMatchesTheModel) {
  const auto agrees = [] {
    const std::vector<Ask> asks = some_asks();
    Queue queue(100);
    queue.play(asks);
    std::ranges::sort(queue.starts);
    RC_ASSERT((queue.starts == model(asks)));
    RC_ASSERT(!queue.twice_at_once);
  };
  EXPECT_TRUE(rc::check(agrees));
}

TEST(WorkQueueProperty, WithALimitNothingIsLostAndNoKeyRunsTwiceAtOnce) {
  const auto holds = [] {
    const std::vector<Ask> asks = some_asks();
    const auto places = *rc::gen::inRange<std::size_t>(1, 3);
    Queue queue(places);
    queue.play(asks);
    RC_ASSERT(!queue.twice_at_once);
    RC_ASSERT(queue.most_at_once <= places);
    RC_ASSERT(queue.queue.waiting() == 0U);
    std::map<int, std::size_t> asked;
    for (const Ask& ask : asks) {
      ++asked[ask.key];
      const bool served = std::ranges::any_of(queue.starts, [&](const Start& start) {
        return start.key == ask.key && start.at >= ask.at;
      });
      RC_ASSERT(served);
    }
    for (const auto& [key, times] : asked) {
      std::size_t wanted = times;
      for (int run = 0; run < queue.runs[key]; ++run)
        wanted += outcome(key, run).when == Requeue::When::on_change ? 0 : 1;
      RC_ASSERT(static_cast<std::size_t>(queue.runs[key]) <= wanted);
    }
  };
  EXPECT_TRUE(rc::check(holds));
}

TEST(WorkQueueProperty, EachKeyBacksOffByItself) {
  base::VirtualClock clock;
  net::Loop loop(clock, 1);
  net::TaskGroup tasks(loop);
  std::map<std::string, std::vector<base::Instant>> started;
  WorkQueue<std::string> queue(loop, tasks, 4, [&](std::string key) -> net::Task<Requeue> {
    started[key].push_back(loop.now());
    co_return key == "bad" && started[key].size() < 8 ? Requeue::after_backoff()
                                                      : Requeue::on_change();
  });
  queue.add("bad");
  for (int i = 0; i < 100; ++i) {
    queue.add("good");
    loop.run_virtual(clock, clock.now() + 10ms);
  }
  loop.run_virtual(clock);
  EXPECT_EQ(started["good"].size(), 100U) << "not affected by the failures of another key";
  ASSERT_EQ(started["bad"].size(), 8U);
  base::Duration most = 50ms;
  for (std::size_t i = 1; i < 8; ++i, most *= 2) {
    const auto waited = started["bad"][i] - started["bad"][i - 1];
    EXPECT_GE(waited, most / 2) << i;
    EXPECT_LE(waited, most) << i;
  }
}

}  // namespace
}  // namespace kube::inline cache
