// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/old_jobs.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace bridge::state {
namespace {

using slurm::JobId;

base::Instant instant(int second) {
  return base::Instant(std::chrono::seconds(second));
}
base::WallTime wall(int second) {
  return base::WallTime(std::chrono::seconds(second));
}

TEST(OldJobs, ReturnsTheOldestJobConfirmedSinceAnInstant) {
  const OldJobs jobs({{JobId(1), instant(5), wall(10)},
                      {JobId(2), instant(7), wall(30)},
                      {JobId(3), instant(9), wall(20)}});
  EXPECT_EQ(jobs.oldest(instant(5), JobId(9))->id, JobId(1));
  EXPECT_EQ(jobs.oldest(instant(5), JobId(1))->id, JobId(3));
  EXPECT_EQ(jobs.oldest(instant(6), JobId(9))->id, JobId(3));
  EXPECT_EQ(jobs.oldest(instant(6), JobId(3))->id, JobId(2));
  EXPECT_EQ(jobs.oldest(instant(8), JobId(3)), nullptr);
  EXPECT_EQ(jobs.oldest(instant(10), JobId(9)), nullptr);
  EXPECT_EQ(OldJobs({}).oldest(instant(0), JobId(9)), nullptr);
}

RC_GTEST_PROP(OldJobsProperty, EqualsALinearSearch, ()) {
  std::vector<OldJob> jobs;
  const int many = *rc::gen::inRange(0, 12);
  for (int n = 0; n < many; ++n) {
    jobs.push_back({JobId(static_cast<std::uint32_t>(n + 1)),
                    instant(*rc::gen::inRange(0, 6)),
                    wall(*rc::gen::inRange(0, 6))});
  }
  const OldJobs all(jobs);
  for (int since = -1; since <= 6; ++since) {
    for (std::uint32_t besides = 1; besides <= 13; ++besides) {
      std::optional<base::WallTime> want;
      for (const OldJob& job : jobs) {
        if (job.read_at < instant(since) || job.id == JobId(besides)) continue;
        want = want ? std::min(*want, job.older_than_pods_bound_after)
                    : job.older_than_pods_bound_after;
      }
      const OldJob* got = all.oldest(instant(since), JobId(besides));
      RC_ASSERT((got == nullptr) == !want.has_value());
      if (got == nullptr) continue;
      RC_ASSERT(got->older_than_pods_bound_after == *want);
      RC_ASSERT(got->id != JobId(besides));
      RC_ASSERT(got->read_at >= instant(since));
    }
  }
}

}  // namespace
}  // namespace bridge::state
