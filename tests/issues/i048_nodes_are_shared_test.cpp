// SPDX-License-Identifier: Apache-2.0
// #48: a node cannot be shared with foreign jobs.
#include "small_world.h"

namespace issues {
namespace {

TEST(Issue048, PodsAndOthersJobsShareANode) {
  SmallWorld small;
  for (int i = 0; i < 2; ++i) {
    models::slurm::SlurmJob job;
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
  for (const models::slurm::SlurmJob& job : small.jobs("somebody")) EXPECT_EQ(job.state, "RUNNING");
}

}  // namespace
}  // namespace issues
