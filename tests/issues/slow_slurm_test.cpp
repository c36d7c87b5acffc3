// SPDX-License-Identifier: Apache-2.0
// Pods are still scheduled if Slurm needs seconds for each answer, or is behind a proxy with its
// own limits.
#include "each_cause.h"

namespace issues {
namespace {

using SlowSlurm = EachCause;

TEST_F(SlowSlurm, FivePodsOnAFreeClusterAreBoundAlthoughEachAnswerTakesSevenSeconds) {
  small.world.faults().set_answer_time(sim::System::slurm, 7s);
  for (int i = 0; i < 5; ++i) small.create(fmt::format("p{}", i), {{"exclusive", "false"}});
  const base::Instant end = small.world.now() + 60s;
  for (int i = 0; i < 5; ++i) runs(fmt::format("p{}", i), end - small.world.now());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(small.jobs(fmt::format("p{}", i)).size(), 1U);
}

TEST_F(SlowSlurm, TheNumberOfCallsStaysSmallWhileAnswersTakeSevenSeconds) {
  small.world.faults().set_answer_time(sim::System::slurm, 7s);
  small.create("a", {{"exclusive", "false"}});
  runs("a");
  const std::size_t before = small.calls("/slurm/");
  small.pass(5min);
  EXPECT_LE(small.calls("/slurm/") - before, 100U);
}

// An answer that a suspended process reads when it resumes is as old as its request.
TEST_F(SlowSlurm, APodIsNotBoundOnAnAnswerThatAStoppedProcessReadsTooLate) {
  small.world.faults().set_answer_time(sim::System::slurm, 7s);
  small.create("a", {{"exclusive", "false"}});
  ASSERT_TRUE(small.until([&] { return live_jobs("a") == 1; }, 60s));
  // Until the read of the job is in flight.
  const std::string read = "GET " + slurm::testing::api_path(fmt::format("/job/{}", job_of("a")));
  ASSERT_TRUE(small.until([&] { return small.calls(read) > 0; }, 60s));
  small.world.processes().front()->pause();
  small.pass(10s);
  ASSERT_FALSE(small.bound("a"));
  small.world.slurm().end(job_of("a"), "CANCELLED", "None");
  small.pass(10s);
  small.world.processes().front()->go_on();
  small.pass(1s);
  EXPECT_FALSE(small.bound("a"));
  EXPECT_TRUE(small.until([&] { return small.ending("a"); }, 60s));
}

TEST_F(SlowSlurm, BehindAProxyThatRefusesLongRequestsARunnablePodIsBound) {
  constexpr int kWaiting = 60;
  somebody = small.fill("small", 2);
  for (int i = 0; i < kWaiting; ++i)
    small.create(fmt::format("w{}", i), {{"partition", "small"}, {"exclusive", "false"}});
  ASSERT_TRUE(
      small.until([&] { return small.jobs(fmt::format("w{}", kWaiting - 1)).size() == 1; }, 60s));
  small.world.faults().refuse_longer_than(400);  // about thirty ids
  small.create("runs", {{"exclusive", "false"}});
  runs("runs", 10s);
  somebody_goes();
  runs("w0", 30s);
  EXPECT_FALSE(small.world.violation());
}

}  // namespace
}  // namespace issues
