// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/pod_record.h"

#include "bridge/testing/scheduling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using slurm::JobId;
using testing::a_pod;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr base::Instant kStart = base::Instant{} + 1h;

bool never_reported(JobId) {
  return false;
}

TEST(PodRecordTest, ARemovedLabelIsRememberedForThirtySeconds) {
  PodRecord record;
  record.observe(a_pod().job(7), kStart);
  EXPECT_FALSE(record.may_be_cancelled(JobId(7), kStart));
  record.observe(a_pod(), kStart + 1s);
  EXPECT_TRUE(record.may_be_cancelled(JobId(7), kStart + 30s));
  EXPECT_FALSE(record.may_be_cancelled(JobId(7), kStart + 31s));
  EXPECT_TRUE(record.may_be_cancelled(JobId(8), kStart + 5s)) << "as a surplus job";
  EXPECT_FALSE(record.may_be_cancelled(JobId(8), kStart + 6s));
}

// Simulation seed 84057084: another instance labels the pod, removes the label and cancels the job.
TEST(PodRecordTest, ASubmittedJobIsForgottenWhenThePodHasItsLabel) {
  PodRecord record;
  record.made = OwnJob{JobId(7), "{}"};
  record.observe(a_pod(), kStart);
  record.observe(a_pod().job(6), kStart);
  EXPECT_TRUE(record.made);
  record.observe(a_pod().job(7), kStart);
  record.observe(a_pod(), kStart);
  EXPECT_FALSE(record.made);
  EXPECT_TRUE(record.may_be_cancelled(JobId(7), kStart));
}

TEST(PodRecordTest, ALabelRemovedFromABoundPodIsNotRemembered) {
  PodRecord record;
  record.observe(a_pod().job(7).on("k001"), kStart);
  record.observe(a_pod().on("k001"), kStart + 1s);
  EXPECT_FALSE(record.may_be_cancelled(JobId(7), kStart + 1s));
}

TEST(PodRecordTest, AReleasedJobIsForgottenOnlyWhenNoAnswerCanContainIt) {
  PodRecord record;
  record.remember_released(JobId(7), kStart, never_reported);
  record.remember_released(JobId(8), kStart + 10min, never_reported);
  EXPECT_TRUE(record.released_jobs.contains(JobId(7))) << "an answer may be ten minutes old";
  record.remember_released(JobId(9), kStart + 11min, [](JobId job) { return job == JobId(7); });
  EXPECT_TRUE(record.released_jobs.contains(JobId(7))) << "Slurm still reports the job";
  record.remember_released(JobId(10), kStart + 12min, never_reported);
  EXPECT_FALSE(record.released_jobs.contains(JobId(7)));
}

TEST(PodRecordTest, NodesAreAvoidedUntilTheirTimeEnds) {
  PodRecord record;
  const auto fits = [](const slurm::SlurmNodeName&) { return false; };
  record.avoid[slurm::SlurmNodeName("k001")] = {kStart + 5s};
  record.avoid[slurm::SlurmNodeName("k002")] = {kStart + 10s};
  EXPECT_EQ(record.avoided(kStart + 5s, fits), std::set{slurm::SlurmNodeName("k002")});
  EXPECT_TRUE(record.avoided(kStart + 10s, fits).empty());
}

TEST(PodRecordTest, ANodeThatWasUnfitIsUsedAgainWhenItFits) {
  PodRecord record;
  record.avoid[slurm::SlurmNodeName("k001")] = {kStart + 10min, true};
  const auto unfit = [](const slurm::SlurmNodeName&) { return true; };
  const auto fits = [](const slurm::SlurmNodeName&) { return false; };
  EXPECT_EQ(record.avoided(kStart, unfit).size(), 1U);
  EXPECT_TRUE(record.avoided(kStart, fits).empty());
}

TEST(PodRecordTest, ARemovedLabelRequiresAScanBeforeTheNextJob) {
  PodRecord record;
  record.observe(a_pod().job(7), kStart);
  EXPECT_EQ(record.scan_required_since, base::Instant::min());
  record.observe(a_pod(), kStart + 1s);
  EXPECT_EQ(record.scan_required_since, kStart + 1s);
}

TEST(PodRecordTest, TheSecondFailedJobDelaysTheNextOneAndEachFurtherOneDoublesTheDelay) {
  PodRecord record;
  record.delay_next_job(writes::Cause::job_ended, "Slurm job 1 has failed", kStart);
  EXPECT_FALSE(record.submit_blocker) << "the first failure causes no delay";
  EXPECT_EQ(record.scan_required_since, kStart) << "another job may exist";
  record.delay_next_job(writes::Cause::job_ended, "Slurm job 2 has failed", kStart + 1s);
  ASSERT_TRUE(record.submit_blocker);
  EXPECT_EQ(record.blocked_until, kStart + 6s);
  EXPECT_THAT(record.submit_blocker->message, HasSubstr("Slurm job 2 has failed"));
  EXPECT_EQ(record.submit_blocker->cause, writes::Cause::job_ended);
  record.delay_next_job(writes::Cause::job_ended, "Slurm job 3 has failed", kStart + 10s);
  EXPECT_EQ(record.blocked_until, kStart + 20s);
}

TEST(PodRecordTest, TheDelayHasALimitAndIsResetAfterTenMinutesWithoutAFailedJob) {
  PodRecord record;
  base::Instant now = kStart;
  for (int i = 0; i < 12; ++i) record.delay_next_job(writes::Cause::job_ended, "failed", now += 1s);
  EXPECT_EQ(record.blocked_until, now + 5min);
  record.submit_blocker.reset();
  record.delay_next_job(writes::Cause::job_ended, "failed", now + 10min + 1s);
  EXPECT_FALSE(record.submit_blocker);
}

}  // namespace
}  // namespace bridge::scheduling
