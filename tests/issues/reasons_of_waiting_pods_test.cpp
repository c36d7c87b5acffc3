// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge wrote no Events and no conditions: Kubernetes did not show why a pod
// waits in Slurm or was refused.
#include "small_world.h"

namespace issues {
namespace {

TEST(ReasonsOfWaitingPods, AWaitingPodShowsSlurmsReasonAndIsNotUnschedulable) {
  SmallWorld small;
  (void)small.fill("small", 2);
  small.create("a", {{"partition", "small"}});
  small.pass(30s);
  EXPECT_EQ(small.pod("a")->scheduled_reason, "WaitingInSlurm");
  EXPECT_TRUE(small.pod("a")->scheduled_message.contains("Resources"))
      << small.pod("a")->scheduled_message;
}

TEST(ReasonsOfWaitingPods, ARefusalIsAConditionAndAnEventThatNameTheCause) {
  SmallWorld small;
  small.create("a", {{"partition", "nowhere"}});
  small.pass(30s);
  EXPECT_EQ(small.pod("a")->scheduled_reason, "RefusedBySlurm");
  EXPECT_TRUE(small.pod("a")->scheduled_message.contains("Invalid partition name"))
      << small.pod("a")->scheduled_message;
  EXPECT_GT(small.calls("/events"), 0U);
}

// The last of many pods gets its reason as soon as the first.
TEST(ReasonsOfWaitingPods, PodsWithTheSameRequestShareOneAnswer) {
  SmallWorld small;
  (void)small.fill("small", 2);
  constexpr int kMany = 400;  // more than are read in a minute
  for (int i = 0; i < kMany; ++i) small.create(fmt::format("w{}", i), {{"partition", "small"}});
  const auto says_why = [&](int i) {
    return small.pod(fmt::format("w{}", i))->scheduled_message.contains("Priority");
  };
  const auto all_say = [&] {
    int silent = 0;
    for (int i = 0; i < kMany; ++i) silent += says_why(i) ? 0 : 1;
    return silent <= 1;  // one is next in the queue; Slurm's reason for it is Resources
  };
  EXPECT_TRUE(small.until(all_say, 15s)) << small.pod("w350")->scheduled_message;
  const std::size_t looks = small.count(
      [](const std::string& line) { return line.starts_with("GET ") && line.contains("/job/"); });
  EXPECT_LT(looks, std::size_t{kMany} / 4) << "they were not read one by one";

  // A pod with another request does not wait behind them either.
  small.pass(2min);
  small.create("other", {{"partition", "small"}, {"timelimit", "7"}});
  EXPECT_TRUE(
      small.until([&] { return small.pod("other")->scheduled_message.contains("Priority"); }, 5s));

  const auto shares = [&] {
    int pods = 0;
    for (int i = 0; i < kMany; ++i) {
      const std::string& says = small.pod(fmt::format("w{}", i))->scheduled_message;
      pods += says.contains("as reported for job") ? 1 : 0;
    }
    return pods;
  };
  EXPECT_TRUE(small.until([&] { return shares() == 0; }, 3min))
      << "the explanation of another job is still shown after the job's own read";
  small.pass(10s);
  const std::size_t writes = small.writes();
  small.pass(5min);
  EXPECT_LE(small.writes(), writes + 2)
      << "their own reads give the same result: nothing is written again";
}

// The jobs of the process before us are not known by kind, and there may be thousands.
TEST(ReasonsOfWaitingPods, AfterARestartANewPodGetsItsReasonBeforeOlderPods) {
  SmallWorld small;
  (void)small.fill("small", 2);
  constexpr int kMany = 400;  // more than are read in a minute
  for (int i = 0; i < kMany; ++i) small.create(fmt::format("w{}", i), {{"partition", "small"}});
  small.pass(30s);
  sim::Process& process = *small.world.processes().front();
  small.world.kill(process, 1s);
  small.pass(30s);  // until it leads again
  small.create("new", {{"partition", "small"}, {"timelimit", "7"}});
  EXPECT_TRUE(
      small.until([&] { return small.pod("new")->scheduled_message.contains("Priority"); }, 8s))
      << small.pod("new")->scheduled_message;
}

}  // namespace
}  // namespace issues
