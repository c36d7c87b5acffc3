// SPDX-License-Identifier: Apache-2.0
// #10: a job that asks for one CPU waits for QOSGrpCpuLimit, because it is given whole nodes.
// #48: a node cannot be shared with others' work.
#include "small_world.h"

namespace issues {
namespace {

TEST(Issue010, AJobThatIsNotExclusiveTakesOnlyWhatItAsksFor) {
  SmallWorld small;
  small.create("a", {{"exclusive", "false"}, {"partition", "small"}});
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 10s));
  const models::SlurmJob job = small.jobs("a").front();
  EXPECT_FALSE(job.exclusive);
  EXPECT_EQ(job.cpus, 1U);
  EXPECT_EQ(job.memory_mb, 1024U);
}

TEST(Issue048, PodsAndOthersJobsShareANode) {
  SmallWorld small;
  for (int i = 0; i < 2; ++i) {
    models::SlurmJob job;
    job.name = "somebody";
    job.partition = "small";
    job.external = true;
    job.cpus = 4;
    job.memory_mb = 1024;
    (void)small.world.slurm().submit(job);
  }
  for (const char* name : {"a", "b", "c"})
    small.create(name, {{"exclusive", "false"}, {"partition", "small"}});
  EXPECT_TRUE(
      small.until([&] { return small.bound("a") && small.bound("b") && small.bound("c"); }, 10s));
  for (const models::SlurmJob& job : small.jobs("somebody")) EXPECT_EQ(job.state, "RUNNING");
}

}  // namespace
}  // namespace issues
