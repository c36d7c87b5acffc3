// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/state.h"

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

const JobId kA(1);
const JobId kB(2);

Instant at(int ms) {
  return Instant(milliseconds(ms));
}

MirrorOptions options() {
  MirrorOptions options;
  options.backoff.jitter = base::Jitter::none;
  return options;
}

bool is_mine(std::string_view comment) {
  return comment == "mine";
}

std::vector<JobStatus> says(std::initializer_list<std::pair<JobId, JobState>> states) {
  std::vector<JobStatus> all;
  for (const auto& [id, state] : states) all.push_back({.id = id, .state = state});
  return all;
}

class MirrorStateTest : public ::testing::Test {
 protected:
  // The first scan, of an empty Slurm, is complete.
  MirrorStateTest() {
    const auto calls = state_.next(at(0));
    state_.answered_all_states(*calls.all_states, says({}), at(0));
  }

  MirrorState state_{options(), [] { return 0U; }, is_mine};
};

TEST_F(MirrorStateTest, WithNothingToFollowOnlyTheScanIsLeft) {
  const auto calls = state_.next(at(10));
  EXPECT_FALSE(calls.states);
  EXPECT_FALSE(calls.all_states);
  EXPECT_EQ(calls.wake, at(60'000));
}

TEST_F(MirrorStateTest, OneQuestionCarriesAsManyJobsAsFitAndMoreFollowOneByOne) {
  for (std::uint32_t id = 1; id <= 5000; ++id) state_.track(JobId(id));
  const auto first = state_.next(at(10));
  ASSERT_TRUE(first.states);
  EXPECT_EQ(first.states->ids.size(), kMostIdsPerCall);
  EXPECT_EQ(first.wake, at(60'000));  // for the scan; the poll's answer comes first
  state_.answered_states(*first.states, says({}), at(20));
  const auto second = state_.next(at(20));
  ASSERT_TRUE(second.states);
  EXPECT_EQ(second.states->ids.size(), 5000 - kMostIdsPerCall);
  EXPECT_EQ(second.states->ids.back(), JobId(5000));
  EXPECT_EQ(state_.polled_at(), at(0));
  state_.answered_states(*second.states, says({}), at(30));
  EXPECT_EQ(state_.polled_at(), at(10));
  EXPECT_FALSE(state_.next(at(30)).states);  // not before its interval has passed
}

TEST_F(MirrorStateTest, OnlyJobsOfAnAnsweredCallAreUnknownToSlurm) {
  for (std::uint32_t id = 1; id <= 5000; ++id) state_.track(JobId(id));
  const auto first = state_.next(at(10));
  state_.answered_states(*first.states, Error(Kind::lost, "x"), at(20));
  EXPECT_FALSE(state_.healthy());
  const auto second = state_.next(at(1000));  // the other jobs of the round are polled
  ASSERT_TRUE(second.states);
  state_.answered_states(*second.states, says({}), at(1010));
  EXPECT_EQ(state_.find(kA)->knowledge, JobView::Knowledge::unasked);
  EXPECT_EQ(state_.find(JobId(5000))->knowledge, JobView::Knowledge::unknown_to_slurm);
  // One of the calls failed: the poll is not complete.
  EXPECT_FALSE(state_.healthy());
  EXPECT_TRUE(state_.last_error()->is(Kind::lost));
  EXPECT_EQ(state_.polled_at(), at(0));
  const auto again = state_.next(at(1110));
  ASSERT_TRUE(again.states);
  EXPECT_EQ(again.states->ids.front(), kA);
}

TEST_F(MirrorStateTest, NoErrorOfAPollIsAVerdict) {
  state_.track(kA);
  auto calls = state_.next(at(10));
  state_.answered_states(*calls.states, Error(Kind::invalid, "x").with_code(9000), at(10));
  EXPECT_FALSE(state_.healthy());
}

TEST_F(MirrorStateTest, PollsOftenAfterAChangeAndRarelyElse) {
  state_.submitted(kA, "mine", at(10));
  auto calls = state_.next(at(10));
  state_.answered_states(*calls.states, says({{kA, JobState::pending}}), at(10));
  EXPECT_EQ(state_.next(at(10)).wake, at(110));

  calls = state_.next(at(10'010));  // ten seconds later
  state_.answered_states(*calls.states, says({{kA, JobState::pending}}), at(10'010));
  EXPECT_EQ(state_.next(at(10'010)).wake, at(11'010));
  state_.hurry(at(10'500));
  EXPECT_TRUE(state_.next(at(10'500)).states);
}

TEST_F(MirrorStateTest, AnErrorChangesNoViewAndLeavesSlurmAloneForAWhile) {
  state_.track(kA);
  auto calls = state_.next(at(10));
  state_.answered_states(*calls.states, says({{kA, JobState::running}}), at(10));
  const JobView before = *state_.find(kA);
  Instant now = at(2000);
  for (const Kind kind : {Kind::unreachable,
                          Kind::lost,
                          Kind::unavailable,
                          Kind::unauthorized,
                          Kind::protocol,
                          Kind::forbidden,
                          Kind::too_many}) {
    for (calls = state_.next(now); !calls.states; calls = state_.next(now)) now = calls.wake;
    const auto changes = state_.answered_states(*calls.states, Error(kind, "x"), now);
    EXPECT_THAT(changes.jobs, IsEmpty());
    EXPECT_EQ(*state_.find(kA), before) << base::name(kind);
    EXPECT_FALSE(state_.healthy());
    EXPECT_GE(state_.next(now).wake, now + milliseconds(500));
  }
}

TEST_F(MirrorStateTest, WhileSlurmIsNotWellOneQuestionAtATimeIsEnough) {
  state_.track(kA);
  state_.track(kB);
  auto calls = state_.next(at(10));
  state_.answered_states(
      *calls.states, says({{kA, JobState::running}, {kB, JobState::running}}), at(10));
  calls = state_.next(at(10));
  ASSERT_EQ(calls.placements.size(), 2U);
  state_.answered_placement(calls.placements[0], Error(Kind::lost, "x"), at(20));
  state_.answered_placement(calls.placements[1], Error(Kind::lost, "x"), at(20));
  state_.request_scan();
  EXPECT_EQ(state_.next(at(21)).wake, at(520));
  calls = state_.next(at(70'000));
  EXPECT_TRUE(calls.states);
  EXPECT_FALSE(calls.all_states);
  EXPECT_THAT(calls.placements, IsEmpty());
  EXPECT_EQ(calls.wake, base::kNever);
  state_.answered_states(*calls.states, says({}), at(70'000));
  calls = state_.next(at(70'000));
  EXPECT_TRUE(calls.all_states);
}

TEST_F(MirrorStateTest, OneJobsVerdictIsNoSignOfIllness) {
  state_.track(kA);
  auto calls = state_.next(at(10));
  state_.answered_states(*calls.states, says({{kA, JobState::running}}), at(10));
  calls = state_.next(at(10));
  state_.answered_placement(
      calls.placements.at(0), Error(Kind::conflict, "not running").with_code(2085), at(10));
  EXPECT_TRUE(state_.healthy());
  EXPECT_FALSE(state_.find(kA)->placed());
  EXPECT_THAT(state_.next(at(500)).placements, IsEmpty());
  EXPECT_EQ(state_.next(at(1010)).placements.size(), 1U);  // asked again soon
}

TEST_F(MirrorStateTest, ASlowIdentityDoesNotReplaceANewerState) {
  state_.track(kA);
  state_.request_scan();
  auto calls = state_.next(at(2000));
  state_.answered_states(*calls.states, says({{kA, JobState::pending}}), at(2000));
  state_.answered_all_states(*calls.all_states, says({{kA, JobState::pending}}), at(2000));
  const auto identity = state_.next(at(2000)).identities.at(0);

  calls = state_.next(at(3000));
  state_.answered_states(*calls.states, says({{kA, JobState::cancelled}}), at(3000));
  state_.answered_identity(identity, JobIdentity{kA, JobState::pending, "mine"}, at(3500));
  EXPECT_TRUE(state_.find(kA)->known(JobState::cancelled));
  EXPECT_FALSE(state_.ours().contains(kA));  // it is not live
}

TEST_F(MirrorStateTest, ATrackedJobIsLookedAtTooForItsIdentity) {
  state_.track(kA);
  state_.track(kB);
  state_.request_scan();
  auto calls = state_.next(at(2000));
  state_.answered_all_states(
      *calls.all_states, says({{kA, JobState::pending}, {kB, JobState::pending}}), at(2000));
  for (const auto& call : state_.next(at(2000)).identities) {
    const JobIdentity identity{call.id, JobState::pending, call.id == kA ? "mine" : "other"};
    state_.answered_identity(call, identity, at(2000));
  }
  EXPECT_TRUE(state_.ours().contains(kA));
  EXPECT_FALSE(state_.ours().contains(kB));
  EXPECT_NE(state_.find(kB), nullptr);  // its caller still tracks it
}

TEST_F(MirrorStateTest, TheIdentityOfATrackedJobIsReadWithoutAScan) {
  state_.track(kA);
  state_.track(kB);
  const auto calls = state_.next(at(10));
  ASSERT_EQ(calls.claims.size(), 2U);
  EXPECT_EQ(state_.comment_of(kA), nullptr);
  const JobIdentity ended{kA, JobState::cancelled, "mine"};
  EXPECT_THAT(state_.answered_claim(calls.claims[0], ended, at(20)).jobs, ElementsAre(kA));
  EXPECT_EQ(*state_.comment_of(kA), "mine");
  EXPECT_FALSE(state_.ours().contains(kA));  // it is not live
  const JobIdentity lives{kB, JobState::running, "mine"};
  EXPECT_THAT(state_.answered_claim(calls.claims[1], lives, at(20)).jobs, ElementsAre(kB));
  EXPECT_EQ(*state_.comment_of(kB), "mine");
  EXPECT_TRUE(state_.ours().contains(kB));
}

TEST_F(MirrorStateTest, AJobIsLookedAtOnceWhetherForTheScanOrForAClaim) {
  state_.request_scan();
  auto calls = state_.next(at(2000));
  for (const JobId id : {kA, kB}) state_.track(id);
  const auto both = says({{kA, JobState::pending}, {kB, JobState::pending}});
  const auto claims = state_.next(at(2000)).claims;  // sent before the list was answered
  ASSERT_EQ(claims.size(), 2U);
  state_.answered_claim(claims[0], JobIdentity{kA, JobState::pending, "mine"}, at(2010));
  state_.answered_all_states(*calls.all_states, both, at(2020));
  calls = state_.next(at(2020));
  ASSERT_EQ(calls.identities.size(), 1U);
  EXPECT_EQ(calls.identities[0].id, kB);
  EXPECT_TRUE(state_
                  .answered_identity(
                      calls.identities[0], JobIdentity{kB, JobState::pending, "mine"}, at(2030))
                  .scanned);
  EXPECT_EQ(*state_.comment_of(kB), "mine");
}

TEST_F(MirrorStateTest, AScanThatWasUnderWayDoesNotServeALaterRequest) {
  state_.request_scan();
  auto calls = state_.next(at(2000));
  ASSERT_TRUE(calls.all_states);
  state_.request_scan();
  state_.answered_all_states(*calls.all_states, says({}), at(2100));
  EXPECT_EQ(state_.scanned_since(), at(2000));
  EXPECT_FALSE(state_.next(at(2999)).all_states);
  calls = state_.next(at(3000));
  ASSERT_TRUE(calls.all_states);
  state_.answered_all_states(*calls.all_states, says({}), at(3000));
  EXPECT_EQ(state_.scanned_since(), at(3000));
  EXPECT_EQ(state_.next(at(3000)).wake, at(63'000));
}

TEST_F(MirrorStateTest, AFailedScanIsTriedAgain) {
  state_.request_scan();
  auto calls = state_.next(at(2000));
  state_.answered_all_states(*calls.all_states, Error(Kind::lost, "x"), at(2000));
  EXPECT_EQ(state_.scanned_since(), at(0));
  EXPECT_EQ(state_.next(at(2000)).wake, at(2500));
  EXPECT_EQ(state_.next(at(2500)).wake, at(3000));  // not more often than scans may be
  EXPECT_TRUE(state_.next(at(3000)).all_states);
}

// As after a failback to a slurmctld with a state of its own: ids belong to other jobs there.
TEST_F(MirrorStateTest, OnceAnIdBelongsToAnotherJobTheIdentitiesOfPendingJobsAreRead) {
  state_.submitted(kA, "mine", at(10));
  state_.submitted(kB, "mine", at(10));
  auto calls = state_.next(at(10));
  state_.answered_states(
      *calls.states, says({{kA, JobState::running}, {kB, JobState::pending}}), at(10));
  calls = state_.next(at(10));
  ASSERT_EQ(calls.placements.size(), 1U);
  EXPECT_THAT(calls.claims, IsEmpty());
  const JobIdentity another{kA, JobState::running, "another's", "x", {SlurmNodeName("n1")}};
  state_.answered_placement(calls.placements[0], another, at(20));

  EXPECT_EQ(state_.comment_of(kB), nullptr);
  calls = state_.next(at(20));
  ASSERT_EQ(calls.claims.size(), 1U);
  EXPECT_EQ(calls.claims[0].id, kB);
  state_.answered_claim(calls.claims[0], JobIdentity{kB, JobState::pending, "mine"}, at(30));
  EXPECT_TRUE(state_.ours().contains(kB));
}

// slurmctld came back with an older state, in which the id may belong to another job.
TEST_F(MirrorStateTest, AJobThatIsPendingAfterItRanIsReadAgain) {
  state_.submitted(kA, "mine", at(10));
  auto calls = state_.next(at(10));
  state_.answered_states(*calls.states, says({{kA, JobState::running}}), at(10));
  calls = state_.next(at(10));
  const JobIdentity mine{kA, JobState::running, "mine", "x", {SlurmNodeName("n1")}};
  state_.answered_placement(calls.placements[0], mine, at(20));
  EXPECT_THAT(calls.claims, IsEmpty());

  calls = state_.next(at(1000));
  state_.answered_states(*calls.states, says({{kA, JobState::pending}}), at(1000));
  EXPECT_EQ(state_.comment_of(kA), nullptr);
  calls = state_.next(at(1000));
  ASSERT_EQ(calls.claims.size(), 1U);
  state_.answered_claim(calls.claims[0], JobIdentity{kA, JobState::pending, "another's"}, at(1010));
  EXPECT_FALSE(state_.ours().contains(kA));
  EXPECT_EQ(*state_.comment_of(kA), "another's");
}

TEST_F(MirrorStateTest, AFoundJobThatLivesAfterItEndedIsReadAgain) {
  state_.request_scan();
  auto calls = state_.next(at(2000));
  state_.answered_all_states(*calls.all_states, says({{kA, JobState::running}}), at(2000));
  calls = state_.next(at(2000));
  ASSERT_EQ(calls.identities.size(), 1U);
  state_.answered_identity(
      calls.identities[0], JobIdentity{kA, JobState::running, "mine"}, at(2010));
  ASSERT_TRUE(state_.ours().contains(kA));
  calls = state_.next(at(3000));
  state_.answered_states(*calls.states, says({{kA, JobState::completed}}), at(3000));
  calls = state_.next(at(62'000));
  ASSERT_TRUE(calls.all_states);
  state_.answered_all_states(*calls.all_states, says({{kA, JobState::suspended}}), at(62'000));
  EXPECT_FALSE(state_.ours().contains(kA));
  EXPECT_EQ(state_.next(at(62'000)).identities.size(), 1U);
}

}  // namespace
}  // namespace slurm::inline mirror
