// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/waiting_reasons.h"

#include "base/rfc3339.h"
#include "slurm/api/waiting_reason.h"

#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

const base::WallTime kNow = base::parse_rfc3339("2026-11-16T13:58:10Z").value();

TEST(WaitingText, ContainsSlurmsReasonAndItsMeaning) {
  slurm::Job job;
  job.state_reason = "Priority";
  EXPECT_EQ(waiting_text(job, kNow), "Priority (jobs with a higher priority come first)");
  job.state_reason = "SomethingNew";
  EXPECT_EQ(waiting_text(job, kNow), "SomethingNew");
}

TEST(WaitingText, ContainsTheExpectedStartAndTheTimeOfTheRead) {
  slurm::Job job;
  job.state_reason = "Resources";
  job.start_time = base::parse_rfc3339("2026-11-16T14:05:59Z").value();
  EXPECT_EQ(waiting_text(job, kNow),
            "Resources (it is next, and waits for enough free resources); expected to start about "
            "2026-11-16T14:05Z, as of 2026-11-16T13:58Z");
  job.start_time = kNow - std::chrono::hours(1);
  EXPECT_EQ(waiting_text(job, kNow), "Resources (it is next, and waits for enough free resources)")
      << "a start in the past is not shown";
}

TEST(SharedWaitingText, NamesTheJobThatWasRead) {
  EXPECT_EQ(shared_waiting_text("Priority", slurm::JobId(12)),
            "Priority (jobs with a higher priority come first), as reported for job 12 with "
            "the same request");
}

TEST(WaitingReason, IsSharedOnlyIfTheReasonAppliesToEqualRequests) {
  for (const char* all : {"Priority", "QOSGrpCpuLimit", "AssocMaxJobsLimit", "PartitionDown"})
    EXPECT_TRUE(slurm::is_shared_by_equal_requests(all)) << all;
  for (const char* own : {"JobHeldAdmin", "Resources", "Dependency", "None", "", "SomethingNew"})
    EXPECT_FALSE(slurm::is_shared_by_equal_requests(own)) << own;
}

TEST(RequestShape, DependsOnTheRequestAndNotOnNameOrIdentity) {
  slurm::JobRequest request;
  request.name = "a";
  request.admin_comment = "{}";
  request.cpus_per_task = 1;
  slurm::JobRequest like = request;
  like.name = "b";
  like.admin_comment = "{\"pods\":[]}";
  EXPECT_EQ(shape_of(request), shape_of(like));
  EXPECT_TRUE(shape_of(request).known());
  like.cpus_per_task = 2;
  EXPECT_NE(shape_of(request), shape_of(like));
  like = request;
  like.excluded_nodes.emplace_back("n1");
  EXPECT_NE(shape_of(request), shape_of(like)) << "excluded nodes may cause a refusal";
}

TEST(WaitingReasonText, ExplainsExactReasonsBeforeFamiliesOfReasons) {
  EXPECT_EQ(slurm::waiting_reason_text("QOSGrpCpuLimit"),
            "all jobs of its QOS together have reached a limit");
  EXPECT_EQ(slurm::waiting_reason_text("QOSNotAllowed"),
            "its QOS may not be used in this partition");
  EXPECT_EQ(slurm::waiting_reason_text("AssocMaxJobsLimit"),
            "a limit of its account is reached for this user or job");
  EXPECT_EQ(slurm::waiting_reason_text(""), "");
}

}  // namespace
}  // namespace bridge::scheduling
