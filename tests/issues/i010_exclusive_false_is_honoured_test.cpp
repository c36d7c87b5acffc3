// SPDX-License-Identifier: Apache-2.0
// #10: a job that asks for one CPU waits for QOSGrpCpuLimit, because it is given whole nodes.
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
