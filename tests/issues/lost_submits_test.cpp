// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge: a transport error during a submit ended the scheduler; one request
// without an answer stopped all others; a crash between submit and label left a second job that was
// never cancelled.
#include "small_world.h"

namespace issues {
namespace {

constexpr std::uint64_t kRequests = 12;  // to Slurm, from the pod's creation until it is bound

// The fault applies to the k-th request to Slurm after two pods were created.
void suffers(sim::Fault fault, std::uint64_t k) {
  SmallWorld small;
  small.world.faults().arm(sim::System::slurm, fault, k, 1);
  small.create("a");
  small.create("b");
  EXPECT_TRUE(small.until([&] { return small.bound("a") && small.bound("b"); }, 60s))
      << name(fault) << " of request " << k;
  small.pass(60s);
  for (const char* pod : {"a", "b"}) {
    const auto jobs = small.jobs(pod);
    EXPECT_EQ(std::ranges::count_if(jobs, &models::slurm::SlurmJob::live), 1)
        << name(fault) << " of request " << k;
  }
  EXPECT_FALSE(small.world.processes().front()->exited());
}

TEST(LostSubmits, ATransportErrorOfAnyCallStopsNothingAndCreatesNoSecondJob) {
  for (const sim::Fault fault :
       {sim::Fault::refused, sim::Fault::half_answered, sim::Fault::lost_after})
    for (std::uint64_t k = 0; k < kRequests; ++k) suffers(fault, k);
}

TEST(LostSubmits, ACallWithoutAnAnswerTimesOutAndDelaysOtherPodsOnlyBriefly) {
  for (std::uint64_t k = 0; k < kRequests; ++k) suffers(sim::Fault::lost_before, k);
}

TEST(LostSubmits, AProcessKilledBetweenSubmitAndLabelAdoptsItsJob) {
  int between = 0;
  for (std::uint64_t k = 0; k < kRequests; ++k) {
    SmallWorld small;
    small.world.crash_at_request("bridge", k, sim::World::CrashPoint::after_the_effect);
    small.create("a");
    if (!small.until([&] { return small.world.crashes() > 0; }, 10s)) continue;
    between += small.jobs("a").size() == 1 && !small.pod("a")->job ? 1 : 0;
    EXPECT_TRUE(small.until([&] { return small.bound("a"); }, 60s)) << k;
    small.pass(2min);
    EXPECT_EQ(small.jobs("a").size(), 1U) << k;
  }
  EXPECT_GT(between, 0) << "no crash happened between submit and label";
}

}  // namespace
}  // namespace issues
