// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline mirror {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

base::Instant at(int second) {
  return base::Instant(std::chrono::seconds(second));
}

JobStatus live(std::uint32_t id, JobState state = JobState::pending) {
  return {.id = JobId(id), .state = state};
}

class ScanTest : public ::testing::Test {
 protected:
  void list(int second, const std::vector<JobStatus>& jobs) {
    scan_.listed({static_cast<std::uint64_t>(second), at(second)}, jobs, [this](JobId id) {
      return ours_.contains(id);
    });
  }

  std::set<JobId> ours_;
  Scan scan_{2};
};

TEST_F(ScanTest, NothingIsClaimedBeforeTheFirstList) {
  EXPECT_EQ(scan_.since(), base::Instant::min());
  EXPECT_EQ(scan_.due(), base::kNever);
}

TEST_F(ScanTest, AnEmptySlurmIsScannedAtOnce) {
  list(5, {});
  EXPECT_EQ(scan_.since(), at(5));
}

TEST_F(ScanTest, LooksNewestFirstAndNotAtTooManyAtATime) {
  list(5, {live(1), live(2), live(3)});
  EXPECT_THAT(scan_.start(at(5)), ElementsAre(JobId(3), JobId(2)));
  EXPECT_THAT(scan_.start(at(5)), IsEmpty());
  EXPECT_EQ(scan_.due(), base::kNever);
  scan_.foreign(JobId(3));
  EXPECT_THAT(scan_.start(at(5)), ElementsAre(JobId(1)));
}

TEST_F(ScanTest, IsCompleteOnlyWhenEveryoneHasBeenJudged) {
  list(5, {live(1), live(2), live(3)});
  scan_.start(at(5));
  scan_.foreign(JobId(3));
  scan_.settled(JobId(2));
  EXPECT_EQ(scan_.since(), base::Instant::min());
  scan_.start(at(9));
  scan_.failed(JobId(1), at(9));
  EXPECT_EQ(scan_.since(), base::Instant::min());
  EXPECT_EQ(scan_.due(), at(10));
  EXPECT_THAT(scan_.start(at(10)), ElementsAre(JobId(1)));
  scan_.foreign(JobId(1));
  EXPECT_EQ(scan_.since(), at(5));  // when the list was requested, not when the last read ended
}

TEST_F(ScanTest, AForeignJobIsLookedAtOnceAndForgottenWhenItEnds) {
  list(5, {live(1)});
  scan_.start(at(5));
  scan_.foreign(JobId(1));
  list(6, {live(1, JobState::running)});
  EXPECT_THAT(scan_.start(at(6)), IsEmpty());
  EXPECT_EQ(scan_.since(), at(6));
  EXPECT_EQ(scan_.foreign_known(), 1U);
  list(7, {live(1, JobState::completed)});
  EXPECT_EQ(scan_.foreign_known(), 0U);
}

TEST_F(ScanTest, ForeignJobsAreLookedAtAgainOneEveryTenSecondsTheNewestFirst) {
  list(5, {live(1), live(2)});
  scan_.start(at(5));
  scan_.foreign(JobId(1));
  scan_.foreign(JobId(2));
  EXPECT_THAT(scan_.start(at(5)), IsEmpty());
  EXPECT_EQ(scan_.due(), at(15));
  EXPECT_THAT(scan_.start(at(14)), IsEmpty());
  for (const auto& [second, id] : {std::pair(15, 2U), {25, 1U}, {35, 2U}}) {
    EXPECT_THAT(scan_.start(at(second)), ElementsAre(JobId(id)));
    EXPECT_THAT(scan_.start(at(second)), IsEmpty());
    scan_.foreign(JobId(id));
    EXPECT_EQ(scan_.due(), at(second + 10));
  }
  EXPECT_EQ(scan_.foreign_known(), 2U);
  EXPECT_EQ(scan_.since(), at(5));
}

TEST_F(ScanTest, AForeignIdThatBelongsToUsNowLeavesTheRotation) {
  list(5, {live(1)});
  scan_.start(at(5));
  scan_.foreign(JobId(1));
  scan_.start(at(5));
  EXPECT_THAT(scan_.start(at(15)), ElementsAre(JobId(1)));
  scan_.settled(JobId(1));
  EXPECT_EQ(scan_.foreign_known(), 0U);
  EXPECT_EQ(scan_.due(), base::kNever);
}

TEST_F(ScanTest, ARotationThatFailsGoesOnWithTheNextJob) {
  list(5, {live(1), live(2)});
  scan_.start(at(5));
  scan_.foreign(JobId(1));
  scan_.foreign(JobId(2));
  scan_.start(at(5));
  scan_.start(at(15));
  scan_.failed(JobId(2), at(16));
  EXPECT_THAT(scan_.start(at(25)), ElementsAre(JobId(1)));
}

TEST_F(ScanTest, EndedJobsArrayTasksAndOurOwnNeedNoLook) {
  ours_.insert(JobId(3));
  list(5,
       {live(1, JobState::cancelled),
        {.id = JobId(2), .state = JobState::running, .array_task = true},
        live(3)});
  EXPECT_EQ(scan_.since(), at(5));
}

TEST_F(ScanTest, AStateThatWeDoNotUnderstandIsLookedAt) {
  list(5, {live(1, JobState::unknown)});
  EXPECT_THAT(scan_.start(at(5)), ElementsAre(JobId(1)));
}

TEST_F(ScanTest, AJobThatAppearsDuringTheScanIsTheNextLists) {
  list(5, {live(1)});
  EXPECT_THAT(scan_.start(at(5)), ElementsAre(JobId(1)));
  list(6, {live(1), live(2)});  // requested meanwhile
  EXPECT_THAT(scan_.start(at(6)), ElementsAre(JobId(2)));
  scan_.foreign(JobId(1));
  EXPECT_EQ(scan_.since(), at(5));  // 2 is newer than that list
  scan_.settled(JobId(2));
  EXPECT_EQ(scan_.since(), at(6));
}

TEST_F(ScanTest, ANewerJobsJudgementDoesNotCompleteAnOlderList) {
  list(5, {live(1)});
  list(6, {live(1), live(2)});
  EXPECT_THAT(scan_.start(at(6)), ElementsAre(JobId(2), JobId(1)));
  scan_.settled(JobId(2));
  EXPECT_EQ(scan_.since(), base::Instant::min());
  scan_.settled(JobId(1));
  EXPECT_EQ(scan_.since(), at(6));
}

TEST_F(ScanTest, AJobThatWasReadForAnotherReasonIsSkipped) {
  list(5, {live(1), live(2), live(3)});
  scan_.start(at(5));
  scan_.skip(JobId(1));
  scan_.skip(JobId(3));  // its read is in flight: the answer will come
  scan_.settled(JobId(3));
  scan_.settled(JobId(2));
  EXPECT_EQ(scan_.since(), at(5));
  EXPECT_EQ(scan_.due(), base::kNever);
}

TEST_F(ScanTest, AJobThatEndsWhileItIsLookedAtIsDone) {
  list(5, {live(1)});
  scan_.start(at(5));
  list(6, {});
  EXPECT_EQ(scan_.since(), at(6));
  scan_.foreign(JobId(1));  // the late answer changes nothing
  EXPECT_EQ(scan_.foreign_known(), 0U);
  list(7, {live(2), live(3)});
  EXPECT_EQ(scan_.start(at(7)).size(), 2U);  // its slot is free again
}

}  // namespace
}  // namespace slurm::inline mirror
