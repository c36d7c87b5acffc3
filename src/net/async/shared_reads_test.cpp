// SPDX-License-Identifier: Apache-2.0
#include "net/async/shared_reads.h"

#include "net/testing/loop.h"

#include <gtest/gtest.h>

#include <string>

namespace net::inline async {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using namespace std::chrono_literals;

struct SharedReadsTest : ::testing::Test {
  using Reads = SharedReads<std::string, int>;

  net::Task<Result<int>> read(std::string) {
    const int nth = ++reads;
    auto slept = co_await world.loop.sleep_for(100ms);
    if (!slept.ok()) co_return std::move(slept).error();
    if (fails) co_return Error(Kind::unavailable, "not now");
    co_return nth;
  }
  int get(const std::string& key) { return **world.run(cache.get(key)); }
  void pass(base::Duration time) { (void)world.run(world.loop.sleep_for(time)); }

  net::testing::VirtualWorld world;
  int reads = 0;
  bool fails = false;
  Reads cache{world.loop,
              world.tasks,
              [this](std::string key) { return read(std::move(key)); },
              {.fresh = 60s, .after_failure = 1s, .most = 2}};
};

TEST_F(SharedReadsTest, AValueIsReusedUntilItExpires) {
  EXPECT_EQ(cache.known("a"), nullptr);
  EXPECT_EQ(get("a"), 1);
  pass(59s);
  EXPECT_EQ(get("a"), 1);
  pass(1s);
  EXPECT_EQ(*cache.known("a"), 1) << "expired, but known";
  EXPECT_EQ(get("a"), 2);
  EXPECT_EQ(get("b"), 3);
}

TEST_F(SharedReadsTest, ConcurrentCallersShareOneRead) {
  int answers = 0;
  const auto ask = [&]() -> net::Task<void> {
    const auto got = co_await cache.get("a");
    EXPECT_TRUE(got.ok() && **got == 1);
    ++answers;
  };
  for (int i = 0; i < 1000; ++i) world.tasks.spawn("asker", ask);
  EXPECT_EQ(get("a"), 1);
  pass(1s);
  EXPECT_EQ(answers, 1000);
  EXPECT_EQ(reads, 1);
}

TEST_F(SharedReadsTest, ACancelledCallerDoesNotAffectTheOthers) {
  net::TaskGroup impatient(world.loop);
  impatient.spawn("impatient", [&]() -> net::Task<void> {
    const auto got = co_await cache.get("a");
    EXPECT_FALSE(got.ok());
  });
  const auto leave = [&]() -> net::Task<void> {
    (void)co_await world.loop.sleep_for(50ms);
    impatient.cancel();
    co_await impatient.join();
  };
  world.tasks.spawn("leaves", leave);
  EXPECT_EQ(get("a"), 1);
  EXPECT_EQ(reads, 1);
}

TEST_F(SharedReadsTest, AFailureIsCachedBrieflyAndKeepsTheOldValue) {
  EXPECT_EQ(get("a"), 1);
  pass(61s);
  fails = true;
  EXPECT_TRUE(world.run(cache.get("a")).error().is(Kind::unavailable));
  EXPECT_FALSE(world.run(cache.get("a")).ok());
  EXPECT_EQ(reads, 2) << "a recent failure is not retried";
  EXPECT_EQ(*cache.known("a"), 1);
  fails = false;
  pass(1s);
  EXPECT_EQ(get("a"), 3);
}

TEST_F(SharedReadsTest, TheCacheIsBoundedAndADroppedValueIsReadAgain) {
  get("a");
  get("b");
  get("c");
  EXPECT_EQ(cache.known("a"), nullptr);
  cache.forget("c");
  EXPECT_EQ(get("c"), 4);
}

}  // namespace
}  // namespace net::inline async
