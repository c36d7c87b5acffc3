// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/mirror.h"
#include "slurm/testing/mirror_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline mirror {
namespace {

using base::Error;
using base::Instant;
using base::Kind;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using MirrorScanTest = testing::MirrorTest;

TEST_F(MirrorScanTest, AScanFindsOursAndLooksAtForeignJobsOnceAndThenEveryTenSeconds) {
  make(1, {.comment = "mine"});
  make(2, {.comment = "other"});
  make(3, {.state = "RUNNING", .comment = "mine", .nodes = {"k001"}});
  make(4, {.state = "COMPLETED", .comment = "mine"});
  pass(seconds(5));
  ASSERT_EQ(mirror_.ours().size(), 2U);
  const FoundJob want{JobId(1), JobState::pending, "mine"};
  EXPECT_EQ(mirror_.ours().at(JobId(1)), want);
  EXPECT_TRUE(view(3).placed());
  EXPECT_EQ(mirror_.find(JobId(2)), nullptr);
  EXPECT_EQ(mirror_.scanned_since(), Instant());
  EXPECT_EQ(scans_, 1);
  EXPECT_EQ(looks(2), 1U);
  EXPECT_EQ(looks(1), 1U);
  EXPECT_EQ(looks(3), 2U);  // its identity, then its nodes
  EXPECT_EQ(looks(4), 0U);
  pass(seconds(180));
  EXPECT_EQ(looks(2), 19U);  // the only one of the rotation
  EXPECT_EQ(looks(1), 1U);
  EXPECT_EQ(mirror_.scanned_since(), Instant(seconds(180)));
}

TEST_F(MirrorScanTest, AJobThatAppearsDuringAScanIsFoundByTheNextOne) {
  slurm_.latency = milliseconds(200);
  make(1, {.comment = "other"});
  pass(milliseconds(250));       // the list was taken at 0 and has been answered
  make(2, {.comment = "mine"});  // the answer to its submit was lost
  const Instant lost_at = loop_.now();
  mirror_.request_scan();
  pass(milliseconds(300));
  EXPECT_EQ(mirror_.scanned_since(), Instant());
  EXPECT_LT(mirror_.scanned_since(), lost_at);  // so it does not prove that there is no job
  EXPECT_THAT(mirror_.ours(), IsEmpty());
  pass(seconds(3));
  EXPECT_GE(mirror_.scanned_since(), lost_at);
  EXPECT_TRUE(mirror_.ours().contains(JobId(2)));
}

TEST_F(MirrorScanTest, TheNewestJobIsLookedAtFirst) {
  for (std::uint32_t id = 1; id <= 40; ++id) make(id);
  make(41, {.comment = "mine"});
  slurm_.latency = milliseconds(10);
  pass(milliseconds(25));  // one list, one round of reads
  EXPECT_TRUE(mirror_.ours().contains(JobId(41)));
  EXPECT_EQ(mirror_.scanned_since(), Instant::min());
  pass(seconds(1));
  EXPECT_EQ(mirror_.scanned_since(), Instant());
  EXPECT_EQ(looks(), 41U);
}

TEST_F(MirrorScanTest, AnOutageDuringAScanDelaysItsCompletion) {
  for (std::uint32_t id = 1; id <= 6; ++id) make(id);
  slurm_.latency = milliseconds(10);
  pass(milliseconds(15));
  slurm_.outage = Error(Kind::lost, "connection reset");
  pass(seconds(30));
  EXPECT_EQ(scans_, 0);
  slurm_.outage.reset();
  pass(seconds(15));
  EXPECT_GE(scans_, 1);
}

TEST_F(MirrorScanTest, AFoundJobThatEndsIsDroppedButATrackedOneKeepsItsView) {
  make(1, {.comment = "mine"});
  make(2, {.comment = "mine"});
  mirror_.submitted(JobId(2), "mine");
  pass(seconds(5));
  EXPECT_EQ(mirror_.ours().size(), 2U);
  slurm_.jobs[1].state = "CANCELLED";
  slurm_.jobs[2].state = "CANCELLED";
  pass(seconds(5));
  EXPECT_EQ(mirror_.ours().at(JobId(1)).state, JobState::cancelled);
  pass(seconds(60));
  EXPECT_FALSE(mirror_.ours().contains(JobId(1)));
  EXPECT_EQ(mirror_.find(JobId(1)), nullptr);
  EXPECT_THAT(mirror_.ours(), IsEmpty());
  EXPECT_TRUE(view(2).known(JobState::cancelled));
  EXPECT_EQ(*mirror_.comment_of(JobId(2)), "mine");
}

TEST_F(MirrorScanTest, AForgottenJobThatStillLivesIsFoundAgain) {
  make(1, {.comment = "mine"});
  mirror_.submitted(JobId(1), "mine");
  pass(seconds(1));
  mirror_.forget(JobId(1));
  EXPECT_EQ(mirror_.find(JobId(1)), nullptr);
  pass(seconds(60));
  EXPECT_TRUE(mirror_.ours().contains(JobId(1)));
}

// A failback of slurmctld between two polls: the id runs before and after it.
TEST_F(MirrorScanTest, AFoundRunningJobWhoseIdBelongsToAnotherJobIsNoticed) {
  make(1, {.comment = "mine"});
  start_job(1, {"k001"});
  make(2, {.comment = "mine"});
  start_job(2, {"k002"});
  pass(seconds(5));
  ASSERT_EQ(mirror_.ours().size(), 2U);
  slurm_.jobs[1].comment = "mine again";
  slurm_.jobs[2].comment = "somebody else's";
  pass(seconds(70));
  EXPECT_EQ(mirror_.ours().at(JobId(1)).admin_comment, "mine again");
  EXPECT_FALSE(mirror_.ours().contains(JobId(2)));
  EXPECT_EQ(mirror_.find(JobId(2)), nullptr);
}

// --- slurmctld crashed, and a foreign id is ours now ---

TEST_F(MirrorScanTest, AfterAnOutageTheNewestForeignJobsAreLookedAtOnceMore) {
  for (std::uint32_t id = 1; id <= 1000; ++id) make(id);
  pass(seconds(5));
  ASSERT_EQ(looks(), 1000U);
  pass(seconds(50));
  slurm_.outage = Error(Kind::unreachable, "connection refused");
  pass(seconds(10));
  slurm_.jobs[1000].comment = "mine";  // the answer to its submit was lost
  slurm_.outage.reset();
  pass(seconds(120));
  EXPECT_TRUE(mirror_.ours().contains(JobId(1000)));
  EXPECT_EQ(looks(1), 1U);
  EXPECT_LE(looks(), 1300U);
}

// Simulation seed 484: Slurm lost its state between two polls and gave the id of a foreign job to
// ours.
TEST_F(MirrorScanTest, AfterLostSubmitsTheNewestForeignJobsAreReadAgainOnce) {
  for (std::uint32_t id = 1; id <= 1000; ++id) make(id);
  pass(seconds(5));
  ASSERT_EQ(looks(), 1000U);
  make(1000, {.comment = "mine"});
  for (int i = 0; i < 10; ++i) mirror_.submit_was_lost();
  mirror_.request_scan();
  pass(seconds(120));
  EXPECT_TRUE(mirror_.ours().contains(JobId(1000)));
  EXPECT_LE(looks(), 1300U);
}

// At the next answered poll the id of our pending job belongs to another job of ours.
TEST_F(MirrorScanTest, AfterAnOutageOurOwnJobsAreLookedAtOnceMore) {
  make(2, {.comment = "mine"});
  mirror_.submitted(JobId(2), "mine");
  pass(seconds(5));
  ASSERT_EQ(looks(2), 0U) << "this process submitted it";
  slurm_.outage = Error(Kind::unreachable, "connection refused");
  pass(seconds(10));
  slurm_.jobs[2].comment = "other";
  slurm_.outage.reset();
  pass(seconds(70));
  EXPECT_EQ(looks(2), 3U);  // once after the outage, then in the rotation of foreign jobs
  EXPECT_FALSE(mirror_.ours().contains(JobId(2)));
  ASSERT_NE(mirror_.comment_of(JobId(2)), nullptr);
  EXPECT_EQ(*mirror_.comment_of(JobId(2)), "other");
  EXPECT_GE(mirror_.scanned_since(), Instant(seconds(15)));
}

TEST_F(MirrorScanTest, AReadFromBeforeTheSubmitDoesNotCount) {
  slurm_.latency = milliseconds(200);
  make(2, {.comment = "other"});
  pass(milliseconds(250));  // the list was answered, and the read of the job is in flight
  mirror_.submitted(JobId(2), "mine");
  slurm_.jobs[2].comment = "mine";
  pass(seconds(5));
  EXPECT_TRUE(mirror_.ours().contains(JobId(2)));
}

TEST_F(MirrorScanTest, WhenAnIdIsGivenAgainAllJobsAreLookedAtOnceMore) {
  for (std::uint32_t id = 1; id <= 300; ++id) make(id);
  make(301, {.comment = "mine"});
  mirror_.submitted(JobId(301), "mine");
  pass(seconds(5));
  ASSERT_EQ(mirror_.newest_known(), JobId(301));
  slurm_.jobs[1].comment = "mine";
  slurm_.jobs[301].comment = "other";
  mirror_.ids_were_given_again();
  pass(seconds(120));
  EXPECT_TRUE(mirror_.ours().contains(JobId(1)));
  EXPECT_FALSE(mirror_.ours().contains(JobId(301)));
}

TEST_F(MirrorScanTest, ALookAtAJobOfOursAlsoReplacesTheNodesThatWereKnownOfItsId) {
  make(2, {.state = "RUNNING", .comment = "mine", .nodes = {"k001"}});
  mirror_.track(JobId(2));
  pass(seconds(10));
  ASSERT_NE(mirror_.find(JobId(2)), nullptr);
  ASSERT_THAT(mirror_.find(JobId(2))->nodes, ElementsAre(SlurmNodeName("k001")));
  // slurmctld lost that job and gave its id to another job of ours.
  slurm_.jobs[2].nodes = {"k002"};
  mirror_.ids_were_given_again();
  mirror_.request_scan();
  pass(seconds(20));  // well before the nodes of running jobs are read again
  EXPECT_THAT(mirror_.find(JobId(2))->nodes, ElementsAre(SlurmNodeName("k002")));
}

TEST_F(MirrorScanTest, TheTimeOfAnIdentityIsKeptWhenItIsReadAgain) {
  make(1, {.state = "RUNNING", .comment = "other", .nodes = {"k001"}});
  pass(seconds(10));
  mirror_.track(JobId(1));
  pass(seconds(1));
  const auto first = mirror_.identity_known_since(JobId(1));
  ASSERT_TRUE(first);
  EXPECT_LT(*first, Instant(seconds(11)));
  pass(seconds(150));
  EXPECT_GT(mirror_.identity_record_of(JobId(1))->as_of, *first) << "its nodes are read again";
  EXPECT_EQ(mirror_.identity_known_since(JobId(1)), first);
  slurm_.jobs[1].comment = "mine";
  pass(seconds(150));
  EXPECT_GT(*mirror_.identity_known_since(JobId(1)), *first);
  mirror_.submitted(JobId(9), "mine");
  EXPECT_EQ(mirror_.identity_known_since(JobId(9)), loop_.now()) << "submitted by this process";
  EXPECT_FALSE(mirror_.identity_known_since(JobId(10)));
}

TEST_F(MirrorScanTest, ASlurmThatOnlyRejectsRequestsGetsNoMoreOfThem) {
  for (std::uint32_t id = 1; id <= 1000; ++id) make(id);
  pass(seconds(5));
  ASSERT_EQ(looks(), 1000U);
  for (const Kind kind : {Kind::too_many, Kind::unauthorized, Kind::forbidden, Kind::protocol}) {
    const std::size_t before = looks();
    slurm_.outage = Error(kind, "not now");
    pass(seconds(60));
    EXPECT_FALSE(mirror_.healthy());
    slurm_.outage.reset();
    pass(seconds(120));
    EXPECT_TRUE(mirror_.healthy());
    EXPECT_LE(looks(), before + 13) << name(kind);  // the rotation: one in ten seconds
  }
}

TEST_F(MirrorScanTest, AfterALossThatReachesFurtherBackAllForeignJobsAreReadAgain) {
  for (std::uint32_t id = 2; id <= 1000; ++id) make(id);
  make(1, {.comment = "mine"});
  mirror_.submitted(JobId(1), "mine");
  pass(seconds(5));
  slurm_.jobs.erase(1);
  slurm_.jobs[2].comment = "mine";
  pass(seconds(120));
  EXPECT_TRUE(mirror_.ours().contains(JobId(2)));
}

TEST_F(MirrorScanTest, WhenAForeignIdIsIssuedToUsAllForeignJobsAreReadAgain) {
  for (std::uint32_t id = 1; id <= 1000; ++id) make(id);
  pass(seconds(5));
  make(1, {.comment = "mine"});
  make(2, {.comment = "mine"});
  mirror_.submitted(JobId(1), "mine");  // and the answer for 2 was lost
  pass(seconds(120));
  EXPECT_TRUE(mirror_.ours().contains(JobId(2)));
}

TEST_F(MirrorScanTest, WhenAnIdOfOursBelongsToAnotherJobAllForeignJobsAreReadAgain) {
  for (std::uint32_t id = 2; id <= 1000; ++id) make(id);
  make(1, {.state = "RUNNING", .comment = "mine", .nodes = {"k001"}});
  mirror_.submitted(JobId(1), "mine");
  pass(seconds(5));
  slurm_.jobs[1].comment = "other";
  slurm_.jobs[2].comment = "mine";
  pass(seconds(200));
  EXPECT_TRUE(mirror_.ours().contains(JobId(2)));
}

}  // namespace
}  // namespace slurm::inline mirror
