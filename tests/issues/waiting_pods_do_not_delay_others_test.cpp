// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge#45, #46: one loop made all calls for every waiting pod in turn, with a
// list of all jobs each time; with a few waiting pods a runnable pod waited for minutes.
#include "small_world.h"

namespace issues {
namespace {

constexpr int kMany = 200;

// Creates pods of high priority that wait in a partition which another user occupies.
void wait_in_line(SmallWorld& small, int how_many) {
  (void)small.fill("small", 2);
  for (int i = 0; i < how_many; ++i)
    small.create(fmt::format("w{}", i), {{"partition", "small"}, {"priority", "5000"}});
}

TEST(WaitingPods, ARunnablePodIsBoundBehindTwoHundredWaitingPods) {
  SmallWorld small;
  wait_in_line(small, kMany);
  small.create("runnable", {{"exclusive", "false"}});
  EXPECT_TRUE(small.until([&] { return small.bound("runnable"); }, 10s));
  small.pass(2min);
  small.create("later", {{"exclusive", "false"}});
  EXPECT_TRUE(small.until([&] { return small.bound("later"); }, 3s));
}

// Every submit takes seconds, and there are a thousand of them: a pod whose job runs must not wait
// for them.
TEST(WaitingPods, BindsDoNotQueueBehindSubmits) {
  SmallWorld small;
  const std::uint32_t somebody = small.fill("small", 2);
  small.create("first", {{"partition", "small"}, {"exclusive", "false"}});
  ASSERT_TRUE(small.until([&] { return small.pod("first")->job.has_value(); }, 10s));
  small.world.faults().outage(
      sim::System::slurm, sim::Fault::slow, small.world.now() + 10min, "/job/submit");
  for (int i = 0; i < 1000; ++i) small.create(fmt::format("w{}", i), {{"partition", "small"}});
  small.pass(5s);
  small.world.slurm().end(somebody, "COMPLETED", "None");
  EXPECT_TRUE(small.until([&] { return small.bound("first"); }, 5s));
  EXPECT_LT(small.calls("/job/submit"), 200U) << "too fast for this test";
}

// 10.4d: the queue was sorted by the pods' priority, and those that waited came back into it again
// and again before anybody else.
TEST(WaitingPods, WaitingPodsOfHighPriorityDoNotDelayPodsOfLowPriority) {
  SmallWorld small;
  (void)small.fill("small", 2);
  for (int i = 0; i < kMany; ++i)
    small.create(
        fmt::format("w{}", i), {{"partition", "small"}}, json::Object{{"priority", 1'000'000}});
  small.pass(1min);
  small.create("low", {{"exclusive", "false"}}, json::Object{{"priority", -10}});
  EXPECT_TRUE(small.until([&] { return small.bound("low"); }, 3s));
}

// 10.4e: each turn of a pod that waits began with a write to it, on the way that all pods take.
TEST(WaitingPods, AWaitingPodIsNotWrittenRepeatedly) {
  SmallWorld small;
  wait_in_line(small, 5);
  small.pass(1min);
  const auto written = [&] {
    return small.count([](const std::string& line) {
      return !line.starts_with("GET ") && line.contains("/pods/w");
    });
  };
  const std::size_t before = written();
  EXPECT_GE(before, 5U) << "their labels";
  small.pass(10min);
  for (int i = 0; i < 20; ++i) small.create(fmt::format("more{}", i), {{"exclusive", "false"}});
  small.pass(1min);
  EXPECT_EQ(written(), before);
}

TEST(WaitingPods, TheNumberOfSlurmCallsDoesNotGrowWithTheirNumber) {
  const auto a_minute = [](int how_many) {
    SmallWorld small;
    wait_in_line(small, how_many);
    small.pass(2min);
    const std::size_t before = small.calls("/slurm/");
    small.pass(1min);
    return small.calls("/slurm/") - before;
  };
  // The reason of a pending job is read at most four times a second (docs/scheduling.md).
  const std::size_t few = a_minute(10);
  EXPECT_LE(a_minute(kMany / 2), few + 4 * 60);
}

TEST(WaitingPods, TheListOfAllJobsIsNeverLoaded) {
  SmallWorld small;
  wait_in_line(small, 20);
  small.create("a");
  small.pass(10min);
  EXPECT_GT(small.calls("/jobs/state/"), 0U);
  EXPECT_EQ(small.count([](const std::string& line) { return line.ends_with("/jobs/"); }), 0U);
}

TEST(WaitingPods, AStartIsDetectedAtOnceAfterALongWait) {
  SmallWorld small;
  const std::uint32_t somebody = small.fill("small", 2);
  small.create("a", {{"partition", "small"}});
  small.pass(10min);
  ASSERT_FALSE(small.bound("a"));
  small.world.slurm().end(somebody, "COMPLETED", "None");
  ASSERT_TRUE(small.until([&] { return small.jobs("a").front().state == "RUNNING"; }, 5s));
  EXPECT_TRUE(small.until([&] { return small.bound("a"); }, 3s));
}

TEST(WaitingPods, APodIsQueuedInSlurmAlthoughKubernetesIsFull) {
  SmallWorld small;
  for (const char* name : {"a", "b"}) small.create(name, {{"partition", "small"}});
  ASSERT_TRUE(small.until([&] { return small.bound("a") && small.bound("b"); }, 10s));
  small.create("c", {{"partition", "small"}});
  EXPECT_TRUE(small.until([&] { return small.jobs("c").size() == 1; }, 2s));
}

TEST(WaitingPods, TheJobIsNotUpdatedWithoutAChange) {
  SmallWorld small;
  wait_in_line(small, 5);
  small.pass(2min);  // until each has been read itself
  const std::size_t writes = small.writes();
  small.pass(10min);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(small.jobs(fmt::format("w{}", i)).size(), 1U);
  EXPECT_EQ(small.writes(), writes) << "and so is its pod (10.4e, 10.4r)";
}

}  // namespace
}  // namespace issues
