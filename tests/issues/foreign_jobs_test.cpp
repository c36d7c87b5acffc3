// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge took every job with a JSON comment for its own and cancelled it: a job
// with the comment {}, and jobs of a second bridge on the same Slurm.
#include "bridge/marks/job_claim.h"
#include "small_world.h"
#include "workload/identity.h"

namespace issues {
namespace {

const std::string kForeign[] = {
    "",
    "{}",
    "null",
    "[]",
    "7",
    R"({"pods":[]})",
    R"({"pods":["work/a"]})",  // the reference's, for a pod with another job id
    R"({"pods":["work/gone"]})",
    R"({"note":"mine"})",
    R"({"pods":["work/a"],"cluster":"other","scheduler":"slurm-bridge-scheduler",)"
    R"("workload":"u-1","uids":["u-1"]})",
    R"({"pods":["work/gone"],"cluster":"other","scheduler":"slurm-bridge-scheduler",)"
    R"("workload":"u-2","uids":["u-2"]})",
};

TEST(ForeignJobs, AreNeverChanged) {
  SmallWorld small;
  std::vector<std::uint32_t> foreign;
  for (const std::string& comment : kForeign) {
    models::slurm::SlurmJob job;
    job.name = "a";  // the name of our pod
    job.user = "slurm";
    job.partition = "slurm-bridge";
    job.external = true;
    job.memory_mb = 512;
    job.admin_comment = comment;
    foreign.push_back(small.world.slurm().submit(job));
  }
  small.create("a", {{"exclusive", "false"}});
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 10s));
  small.pass(10min);
  small.remove("a");
  small.pass(10min);
  EXPECT_EQ(small.pod("a"), nullptr);
  for (const std::uint32_t id : foreign)
    EXPECT_EQ(small.world.slurm().find(id)->state, "RUNNING")
        << small.world.slurm().find(id)->admin_comment;
}

TEST(ForeignJobs, JobsOfASecondBridgeWithTheSameNamesAreForeign) {
  const workload::BridgeIdentity ours{"cluster-1", "slurm-bridge-scheduler"};
  const workload::BridgeIdentity other{"cluster-2", "slurm-bridge-scheduler"};
  const std::string comment = workload::admin_comment(
      {other, kube::Uid("u-1"), {{kube::ObjectKey{"a", "train-0"}, kube::Uid("u-1")}}});
  EXPECT_TRUE(bridge::marks::may_be_ours(comment, other));
  EXPECT_FALSE(bridge::marks::may_be_ours(comment, ours));
}

}  // namespace
}  // namespace issues
