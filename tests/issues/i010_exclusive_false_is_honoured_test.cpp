// SPDX-License-Identifier: Apache-2.0
// #10: a job that requests one CPU is pending with QOSGrpCpuLimit, because it gets whole nodes.
#include "small_world.h"

namespace issues {
namespace {

TEST(Issue010, AJobThatIsNotExclusiveTakesOnlyWhatItAsksFor) {
  SmallWorld small;
  small.create("a", {{"exclusive", "false"}, {"partition", "small"}});
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 10s));
  const models::slurm::SlurmJob job = small.jobs("a").front();
  EXPECT_FALSE(job.exclusive);
  EXPECT_EQ(job.cpus, 1U);
  EXPECT_EQ(job.memory_mb, 1024U);
}

}  // namespace
}  // namespace issues
