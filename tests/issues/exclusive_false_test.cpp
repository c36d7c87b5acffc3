// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge#10: a job that requested one CPU got a whole node and waited for
// QOSGrpCpuLimit.
#include "small_world.h"

namespace issues {
namespace {

TEST(ExclusiveFalse, AllocatesOnlyTheRequestedResources) {
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
