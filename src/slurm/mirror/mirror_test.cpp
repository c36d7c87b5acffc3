// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/mirror.h"

#include "slurm/testing/mirror_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace slurm::inline mirror {
namespace {

using base::Error;
using base::Instant;
using base::Kind;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using MirrorTest = testing::MirrorTest;

TEST_F(MirrorTest, ASubmittedJobIsFollowedToItsNodesAndItsEnd) {
  pass(seconds(1));
  make(1, {.comment = "mine"});
  mirror_.submitted(JobId(1), "mine");
  EXPECT_EQ(view(1).knowledge, JobView::Knowledge::unasked);
  pass(milliseconds(150));
  EXPECT_TRUE(view(1).known(JobState::pending));
  start_job(1, {"k002", "k001"});
  pass(milliseconds(150));
  EXPECT_TRUE(view(1).placed());
  EXPECT_THAT(view(1).nodes, ElementsAre(SlurmNodeName("k002"), SlurmNodeName("k001")));
  slurm_.jobs[1].state = "PREEMPTED";
  pass(milliseconds(150));
  EXPECT_TRUE(view(1).known(JobState::preempted));
  EXPECT_EQ(*mirror_.comment_of(JobId(1)), "mine");  // its identity was read again
  EXPECT_FALSE(mirror_.ours().contains(JobId(1)));
  // pending, running, placed, over, identity
  EXPECT_THAT(changed_, ElementsAre(JobId(1), JobId(1), JobId(1), JobId(1), JobId(1)));
  const std::size_t before = polls();
  pass(seconds(30));
  EXPECT_EQ(polls(), before);  // there is nothing left to poll
}

TEST_F(MirrorTest, TheNumberOfCallsDoesNotDependOnHowManyJobsWait) {
  slurm_.latency = seconds(3);  // also keeps this test short: a poll every twelve seconds
  std::map<std::uint32_t, std::size_t> calls;
  for (const std::uint32_t jobs : {0U, 1U, 200U, 2000U, 10'000U}) {  // 1 only sets the rhythm
    for (std::uint32_t id = 1; id <= jobs; ++id) {
      make(id, {.comment = "mine"});
      mirror_.submitted(JobId(id), "mine");
    }
    const std::size_t before = transport_.calls.size();
    pass(seconds(60));
    calls[jobs] = transport_.calls.size() - before;
  }
  EXPECT_LE(calls.at(0), calls.at(200));
  EXPECT_EQ(calls.at(200), 6U);  // 5 polls and a scan
  EXPECT_EQ(calls.at(2000), calls.at(200));
  // One more call for each 3000 jobs, and a pause after each poll.
  EXPECT_LE(calls.at(10'000), 4 * calls.at(200));
  EXPECT_LE(lists(), 6U);  // only scans ask for foreign jobs
}

TEST_F(MirrorTest, BehindAProxyThatRejectsLongRequestsJobsArePolledInSeveralCalls) {
  slurm_.longest_target = 8000;
  std::vector<std::size_t> shortened;
  mirror_.on_shortened([&](const StatesPoll::Shortened& calls) {
    shortened.push_back(calls.ids_per_call);
    EXPECT_EQ(calls.refusal.status(), 414);
  });
  constexpr std::uint32_t kJobs = 900;
  for (std::uint32_t id = 1'000'001; id <= 1'000'000 + kJobs; ++id) {
    make(id, {.comment = "mine"});
    mirror_.submitted(JobId(id), "mine");
  }
  pass(seconds(1));
  EXPECT_TRUE(mirror_.healthy());
  EXPECT_EQ(shortened, std::vector<std::size_t>{450});
  start_job(1'000'900, {"k001"});
  pass(seconds(20));
  EXPECT_TRUE(view(1'000'900).placed());
  EXPECT_EQ(shortened.size(), 1U);
  const auto refused = std::ranges::count_if(
      transport_.calls, [](const auto& call) { return call.request.target.size() > 8000; });
  EXPECT_EQ(refused, 1);  // later polls begin with the smaller size
  EXPECT_LE(clock_.now() - mirror_.polled_at(), seconds(2));
}

TEST_F(MirrorTest, APollThatAlwaysFailsIsReportedOnceAlthoughScansAreAnswered) {
  slurm_.longest_target = 30;  // the scan's target has 26 characters
  int outages = 0;
  int recoveries = 0;
  mirror_.on_outage([&] { ++outages; });
  mirror_.on_recovery([&] { ++recoveries; });
  pass(seconds(1));
  EXPECT_EQ(recoveries, 1);  // the first scan
  make(1);
  mirror_.track(JobId(1));
  pass(std::chrono::minutes(5));
  EXPECT_GE(scans_, 4);
  EXPECT_FALSE(mirror_.healthy());
  EXPECT_EQ(outages, 1);
  EXPECT_EQ(recoveries, 1);
  EXPECT_EQ(mirror_.last_error()->status(), 414);
  EXPECT_EQ(mirror_.polled_at(), base::Instant());
  slurm_.longest_target = 100;
  pass(seconds(20));
  EXPECT_EQ(recoveries, 2);
  EXPECT_TRUE(mirror_.healthy());
}

TEST_F(MirrorTest, WithAnswersOfSevenSecondsOneReadShowsThatAJobRunsAndWhere) {
  slurm_.latency = seconds(7);
  make(1, {.comment = "mine"});
  mirror_.submitted(JobId(1), "mine");
  start_job(1, {"k001"});
  pass(seconds(15));  // a poll, then a read of the job itself
  ASSERT_TRUE(view(1).placed());
  EXPECT_EQ(view(1).read_as_of, base::Instant(seconds(7)));
  EXPECT_EQ(view(1).as_of, view(1).read_as_of);
  pass(seconds(20));
  const std::size_t reads = looks(1);
  for (int i = 0; i < 100; ++i) mirror_.confirm(JobId(1));
  pass(seconds(8));
  EXPECT_EQ(looks(1), reads + 1);
  EXPECT_GE(view(1).read_as_of, base::Instant(seconds(35)));
}

TEST_F(MirrorTest, ReadsAJobAtOnceToConfirmIt) {
  make(1, {.comment = "mine"});
  mirror_.submitted(JobId(1), "mine");
  start_job(1, {"k001"});
  pass(seconds(30));
  const std::size_t reads = looks(1);
  for (int i = 0; i < 100; ++i) mirror_.confirm(JobId(1));
  pass(seconds(1));
  EXPECT_EQ(looks(1), reads + 1);
  EXPECT_GE(view(1).read_as_of, base::Instant(seconds(30)));
}

TEST_F(MirrorTest, ReportsAnOutageOnceAndTheRecoveryOnce) {
  int recoveries = 0;
  int outages = 0;
  mirror_.on_outage([&] {
    ++outages;
    EXPECT_TRUE(mirror_.last_error().has_value());
  });
  mirror_.on_recovery([&] { ++recoveries; });
  make(1);
  mirror_.submitted(JobId(1), "mine");
  pass(seconds(5));
  EXPECT_EQ(recoveries, 1);  // the first answer
  EXPECT_EQ(outages, 0);
  EXPECT_EQ(mirror_.followed(), 1U);
  slurm_.outage = base::Error(base::Kind::unreachable, "refused");
  pass(seconds(60));
  EXPECT_EQ(recoveries, 1);
  EXPECT_EQ(outages, 1);
  slurm_.outage.reset();
  pass(seconds(60));
  EXPECT_EQ(recoveries, 2);
  EXPECT_EQ(outages, 1);
}

TEST_F(MirrorTest, PollsQuicklyForTenSecondsThenSlowly) {
  make(1);
  mirror_.submitted(JobId(1), "mine");
  pass(seconds(10));
  EXPECT_NEAR(static_cast<double>(polls()), 100, 2);
  pass(seconds(10));
  EXPECT_NEAR(static_cast<double>(polls()), 110, 3);
  mirror_.hurry();
  pass(seconds(1));
  EXPECT_NEAR(static_cast<double>(polls()), 120, 4);
}

TEST_F(MirrorTest, WithNothingToFollowOnlyTheScanCalls) {
  pass(seconds(125));
  EXPECT_EQ(transport_.calls.size(), 3U);
  EXPECT_EQ(lists(), 3U);
}

TEST_F(MirrorTest, AnOutageChangesNothingAndIsReported) {
  make(1);
  mirror_.track(JobId(1));
  EXPECT_FALSE(mirror_.healthy());  // no answer yet
  pass(milliseconds(10));
  EXPECT_TRUE(mirror_.healthy());
  const JobView before = view(1);
  changed_.clear();
  slurm_.jobs.clear();  // Slurm has lost the job, but does not answer
  slurm_.outage = Error(Kind::unreachable, "connection refused");
  const std::size_t calls = transport_.calls.size();
  pass(seconds(60));
  EXPECT_EQ(view(1), before);
  EXPECT_THAT(changed_, IsEmpty());
  EXPECT_FALSE(mirror_.healthy());
  EXPECT_TRUE(mirror_.last_error()->is(Kind::unreachable));
  EXPECT_LT(transport_.calls.size() - calls, 16U);  // backs off
  slurm_.outage.reset();
  pass(seconds(11));
  EXPECT_TRUE(mirror_.healthy());
  EXPECT_EQ(view(1).knowledge, JobView::Knowledge::unknown_to_slurm);
  EXPECT_GE(view(1).times_unknown, 1U);
  EXPECT_EQ(view(1).state, JobState::pending);
}

TEST_F(MirrorTest, ASlowAnswerIsAnErrorNotAnEmptyList) {
  make(1);
  mirror_.track(JobId(1));
  pass(seconds(1));
  slurm_.latency = seconds(100);
  pass(seconds(100));
  EXPECT_TRUE(view(1).known(JobState::pending));
  EXPECT_TRUE(mirror_.last_error()->is(Kind::lost));
}

TEST_F(MirrorTest, RecoversAlsoWithNothingToFollow) {
  slurm_.outage = Error(Kind::unavailable, "x");
  pass(seconds(300));
  EXPECT_FALSE(mirror_.healthy());
  EXPECT_EQ(mirror_.scanned_since(), Instant::min());
  slurm_.outage.reset();
  pass(seconds(11));
  EXPECT_TRUE(mirror_.healthy());
  EXPECT_EQ(scans_, 1);
}

TEST_F(MirrorTest, AQueryInFlightDoesNotChangeANewJob) {
  make(1);
  mirror_.track(JobId(1));
  pass(milliseconds(500));
  slurm_.latency = milliseconds(400);
  pass(milliseconds(600));  // the next poll was sent 100 ms ago
  make(2);
  mirror_.submitted(JobId(2), "mine");
  pass(milliseconds(350));
  EXPECT_EQ(view(2).knowledge, JobView::Knowledge::unasked);
  pass(seconds(3));
  EXPECT_TRUE(view(2).known(JobState::pending));
}

TEST_F(MirrorTest, TheNodesOfEveryStartedJobAreReadOnceAndFewAtATime) {
  for (std::uint32_t id = 1; id <= 50; ++id) {
    make(id, {.comment = "mine"});
    mirror_.submitted(JobId(id), "mine");
  }
  pass(seconds(1));
  for (std::uint32_t id = 1; id <= 50; ++id) start_job(id, {"k001"});
  slurm_.latency = milliseconds(10);
  pass(seconds(2));
  EXPECT_EQ(looks(), 50U);
  std::map<Instant, int> at_once;
  for (const auto& call : transport_.calls) {
    if (call.request.target.contains("/job/")) ++at_once[call.at];
  }
  for (const auto& [when, calls] : at_once) EXPECT_LE(calls, 8);
  for (std::uint32_t id = 1; id <= 50; ++id) EXPECT_TRUE(view(id).placed()) << id;
  pass(seconds(30));
  EXPECT_EQ(looks(), 50U);
}

// slurmctld crashed, lost our job and gave its id to a foreign job, all between two polls.
TEST_F(MirrorTest, AForeignJobWithTheSameIdIsNotOurs) {
  make(1, {.comment = "mine"});
  mirror_.submitted(JobId(1), "mine");
  pass(seconds(1));
  slurm_.jobs[1] = {.state = "RUNNING", .comment = "other", .nodes = {"k001"}};
  pass(seconds(1));
  EXPECT_EQ(*mirror_.comment_of(JobId(1)), "other");
  EXPECT_FALSE(mirror_.ours().contains(JobId(1)));
}

// A failback: the id of our waiting job belongs to another job, which is suspended.
TEST_F(MirrorTest, ASuspendedJobIsReadAgainBecauseItsIdMayBelongToAnotherJob) {
  make(1, {.comment = "mine"});
  mirror_.submitted(JobId(1), "mine");
  pass(seconds(1));
  slurm_.jobs[1] = {.state = "SUSPENDED", .comment = "other", .nodes = {"k001"}};
  pass(seconds(3));
  ASSERT_TRUE(view(1).known(JobState::suspended));
  EXPECT_EQ(*mirror_.comment_of(JobId(1)), "other");
  EXPECT_FALSE(mirror_.ours().contains(JobId(1)));
}

TEST_F(MirrorTest, AJobOfOursThatIsSuspendedIsReadOnceAndStaysOurs) {
  make(1, {.comment = "mine"});
  mirror_.submitted(JobId(1), "mine");
  start_job(1, {"k001"});
  pass(seconds(2));
  const std::size_t before = looks(1);
  slurm_.jobs[1].state = "SUSPENDED";
  pass(seconds(20));
  ASSERT_TRUE(view(1).known(JobState::suspended));
  EXPECT_TRUE(mirror_.ours().contains(JobId(1)));
  EXPECT_EQ(looks(1), before + 1);
}

TEST_F(MirrorTest, WhatIsKnownOfAnIdDoesNotApplyToANewJobWithThatId) {
  make(1, {.state = "RUNNING", .comment = "mine", .nodes = {"k001"}});
  mirror_.submitted(JobId(1), "mine");
  pass(seconds(1));
  ASSERT_TRUE(view(1).placed());
  slurm_.jobs[1] = {.comment = "mine"};
  mirror_.submitted(JobId(1), "mine");  // the id was issued again, for our job
  EXPECT_EQ(view(1).knowledge, JobView::Knowledge::unasked);
  EXPECT_FALSE(view(1).placed());
}

TEST_F(MirrorTest, AJobThatACrashBroughtBackIsNoticedByTheNextScan) {
  make(1, {.comment = "mine"});
  mirror_.submitted(JobId(1), "mine");
  pass(seconds(1));
  slurm_.jobs[1].state = "CANCELLED";
  pass(seconds(2));
  ASSERT_TRUE(view(1).known(JobState::cancelled));
  start_job(1, {"k001"});
  pass(seconds(61));
  EXPECT_TRUE(view(1).placed());
}

TEST_F(MirrorTest, TheIdentityOfAnIdThatSlurmDidNotKnowForAWhileIsReadAgain) {
  make(1, {.comment = "mine"});
  mirror_.submitted(JobId(1), "mine");
  pass(seconds(1));
  slurm_.jobs.erase(1);
  pass(seconds(2));
  EXPECT_EQ(mirror_.comment_of(JobId(1)), nullptr);
  make(1, {.comment = "other"});
  pass(seconds(5));
  ASSERT_NE(mirror_.comment_of(JobId(1)), nullptr);
  EXPECT_EQ(*mirror_.comment_of(JobId(1)), "other");
}

TEST_F(MirrorTest, ARunningJobWithoutNodesIsNotPlacedAndIsReadAgain) {
  make(1);
  start_job(1, {});
  mirror_.track(JobId(1));
  pass(milliseconds(500));
  EXPECT_TRUE(view(1).known(JobState::running));
  EXPECT_FALSE(view(1).placed());
  slurm_.jobs[1].nodes = {"k001"};
  pass(seconds(2));
  EXPECT_TRUE(view(1).placed());
}

TEST_F(MirrorTest, ANodeThatARunningJobLosesIsNoticed) {
  make(1);
  start_job(1, {"k001", "k002"});
  mirror_.track(JobId(1));
  pass(seconds(1));
  slurm_.jobs[1].nodes = {"k001"};
  changed_.clear();
  pass(seconds(61));
  EXPECT_THAT(view(1).nodes, ElementsAre(SlurmNodeName("k001")));
  EXPECT_THAT(changed_, ElementsAre(JobId(1)));
}

TEST_F(MirrorTest, ACallbackMayUseTheMirror) {
  mirror_.on_change([this](JobId id) { mirror_.forget(id); });
  make(1);
  mirror_.track(JobId(1));
  pass(seconds(1));
  EXPECT_EQ(mirror_.find(JobId(1)), nullptr);
}

TEST_F(MirrorTest, StopsInTheMiddleOfACall) {
  slurm_.latency = seconds(5);
  make(1);
  mirror_.track(JobId(1));
  pass(seconds(1));
  group_.cancel();
  pass(base::Duration::zero());
  EXPECT_TRUE(group_.empty());
}

}  // namespace
}  // namespace slurm::inline mirror
