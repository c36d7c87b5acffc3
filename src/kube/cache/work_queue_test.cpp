// SPDX-License-Identifier: Apache-2.0
#include "kube/cache/work_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kube::inline cache {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

struct Bench {
  ~Bench() {
    queue.stop();
    tasks.cancel();
    loop.run_virtual(clock);
  }
  net::Task<Requeue> reconcile(std::string key) {
    started.push_back(key);
    most_at_once = std::max(most_at_once, ++running);
    EXPECT_TRUE(at_work.insert(key).second) << key << " runs twice at once";
    (void)co_await loop.sleep_for(work);
    at_work.erase(key);
    --running;
    Requeue requeue =
        next.contains(key) && !next[key].empty() ? next[key].front() : Requeue::on_change();
    if (next.contains(key) && !next[key].empty()) next[key].erase(next[key].begin());
    co_return requeue;
  }

  base::VirtualClock clock;
  net::Loop loop{clock, 1};
  net::TaskGroup tasks{loop};
  base::Duration work = 10ms;
  int running = 0;
  int most_at_once = 0;
  std::set<std::string> at_work;
  std::vector<std::string> started;
  std::map<std::string, std::vector<Requeue>> next;
  WorkQueue<std::string> queue{
      loop, tasks, 2, [this](std::string key) { return reconcile(std::move(key)); }};
};

TEST(WorkQueue, RunsAKeyOnceForSeveralAdds) {
  Bench bench;
  for (const char* key : {"a", "b", "c", "a", "b", "c"}) bench.queue.add(key);
  bench.loop.run_virtual(bench.clock);
  EXPECT_EQ(bench.started.size(), 5U);  // a and b were running when they were added again
  EXPECT_EQ(bench.most_at_once, 2);
}

TEST(WorkQueue, AKeyAddedWhileItRunsRunsOnceMoreAfterwards) {
  Bench bench;
  bench.queue.add("a");
  bench.loop.run_virtual(bench.clock, bench.clock.now() + 5ms);
  bench.queue.add("a");
  bench.queue.add("a");
  bench.loop.run_virtual(bench.clock);
  EXPECT_THAT(bench.started, ElementsAre("a", "a"));
}

TEST(WorkQueue, TheEarlierOfTwoDelayedRequestsIsUsed) {
  Bench bench;
  bench.queue.add_after("a", 10s);
  bench.queue.add_after("a", 1s);
  bench.queue.add_after("a", 5s);
  bench.loop.run_virtual(bench.clock, bench.clock.now() + 2s);
  EXPECT_THAT(bench.started, ElementsAre("a"));
  bench.loop.run_virtual(bench.clock);
  EXPECT_THAT(bench.started, ElementsAre("a"));
}

TEST(WorkQueue, FailuresWaitLongerEachTimeUntilOneSucceeds) {
  Bench bench;
  bench.next["a"] = {Requeue::after_backoff(), Requeue::after_backoff(), Requeue::after_backoff()};
  bench.queue.add("a");
  bench.loop.run_virtual(bench.clock);
  EXPECT_EQ(bench.started.size(), 4U);
  const auto waited = bench.clock.now() - base::Instant();
  EXPECT_GE(waited, (25 + 50 + 100) * 1ms);  // at least half of 50, 100, 200 ms
  EXPECT_LE(waited, (50 + 100 + 200 + 40) * 1ms);
}

TEST(WorkQueue, FailedKeysAreRetriedAtOnceWhenTheCauseEnds) {
  Bench bench;
  bench.next["a"] = std::vector<Requeue>(20, Requeue::after_backoff());
  bench.queue.add("a");
  bench.queue.add("b");
  bench.loop.run_virtual(bench.clock, bench.clock.now() + 60s);
  const auto tries = bench.started.size();
  bench.queue.retry_failed();
  bench.loop.run_virtual(bench.clock, bench.clock.now() + 100ms);
  EXPECT_EQ(bench.started.size(), tries + 1) << "only a, because b did not fail";
}

TEST(WorkQueue, AFailureWithRetryAfterIsNotRetriedEarlier) {
  Bench bench;
  const auto asked = base::Error(base::Kind::too_many, "slow down").with_retry_after(7s);
  bench.next["a"] = {Requeue::after_backoff(asked)};
  bench.queue.add("a");
  bench.loop.run_virtual(bench.clock, bench.clock.now() + 1s);
  bench.queue.add("a");
  bench.queue.retry_failed();
  bench.loop.run_virtual(bench.clock, bench.clock.now() + 5900ms);
  EXPECT_THAT(bench.started, ElementsAre("a"));
  bench.loop.run_virtual(bench.clock, bench.clock.now() + 200ms);
  EXPECT_THAT(bench.started, ElementsAre("a", "a"));
  bench.queue.add("a");
  bench.loop.run_virtual(bench.clock, bench.clock.now() + 20ms);
  EXPECT_THAT(bench.started, ElementsAre("a", "a", "a")) << "the time has passed";
}

TEST(WorkQueue, AKeyAddedDuringItsFailureAlsoWaits) {
  Bench bench;
  const auto asked = base::Error(base::Kind::unavailable, "later").with_retry_after(3s);
  bench.next["a"] = {Requeue::after_backoff(asked)};
  bench.queue.add("a");
  bench.loop.run_virtual(bench.clock, bench.clock.now() + 5ms);
  bench.queue.add("a");
  bench.loop.run_virtual(bench.clock, bench.clock.now() + 2s);
  EXPECT_THAT(bench.started, ElementsAre("a"));
  bench.loop.run_virtual(bench.clock);
  EXPECT_THAT(bench.started, ElementsAre("a", "a"));
}

TEST(WorkQueue, AfterStopNothingStarts) {
  Bench bench;
  bench.queue.add_after("a", 1s);
  bench.queue.stop();
  bench.queue.add("b");
  bench.loop.run_virtual(bench.clock);
  EXPECT_TRUE(bench.started.empty());
}

}  // namespace
}  // namespace kube::inline cache
