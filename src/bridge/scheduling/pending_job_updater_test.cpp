// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/pending_job_updater.h"

#include "bridge/testing/scheduling_role.h"
#include "json/node.h"
#include "json/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using slurm::JobId;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

class PendingJobUpdaterTest : public testing::SchedulingTest {
 protected:
  PendingJobUpdaterTest() {
    pass(1h);
    const json::Object pod{
        {"metadata",
         json::Object{{"name", "train-0"},
                      {"namespace", "a"},
                      {"uid", "u-1"},
                      {"resourceVersion", "7"},
                      {"labels", json::Object{{std::string(workload::kJobIdLabel), "7"}}}}},
        {"spec", json::Object{{"schedulerName", testing::kBridge.scheduler}}}};
    json::Parser parser;
    cluster.pods().changed(*parser.parse(json::Value(pod).dump()));
    mirror.submitted(JobId(7), R"({"pods":["a/train-0"]})");
  }
  void read_from_slurm(std::string admin_comment) {
    slurm::Job job;
    job.id = JobId(7);
    job.state = slurm::JobState::pending;
    job.admin_comment = std::move(admin_comment);
    tasks.spawn("update", updater.refresh_excluded_nodes(std::move(job)));
    pass(1s);
  }

  VolumeReader volumes{loop, tasks, kube_client};
  NodeChoice choice{loop, cluster, volumes};
  PodRecord record;
  PendingJobUpdater updater{context, cluster, choice, [this](const auto&) { return &record; }};
};

TEST_F(PendingJobUpdaterTest, KeepsTheIdentityOfAJobThatIsStillThePods) {
  read_from_slurm(R"({"pods":["a/train-0"]})");
  EXPECT_NE(mirror.comment_of(JobId(7)), nullptr);
  EXPECT_THAT(slurm_writes(), IsEmpty());
}

// A failback of slurmctld between two polls: a pending job has the id before and after it. The
// other job may be of any kind, also without pods, and Slurm's nodes need not be known to see it.
TEST_F(PendingJobUpdaterTest, DiscardsTheIdentityOfAJobWhoseIdBelongsToAnotherJob) {
  for (const char* another : {"", "text", R"({"pods":["a/other"]})", R"({"pods":["a/x","a/y"]})"}) {
    mirror.submitted(JobId(7), R"({"pods":["a/train-0"]})");
    read_from_slurm(another);
    EXPECT_EQ(mirror.comment_of(JobId(7)), nullptr) << another;
    EXPECT_THAT(slurm_writes(), IsEmpty());
  }
}

TEST_F(PendingJobUpdaterTest, DoesNothingForAnInstanceThatDoesNotLead) {
  leads = false;
  read_from_slurm("another job");
  EXPECT_NE(mirror.comment_of(JobId(7)), nullptr);
}

}  // namespace
}  // namespace bridge::scheduling
