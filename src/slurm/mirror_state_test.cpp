// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace slurm {
namespace {

using base::Error;
using base::Instant;
using base::Kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using std::chrono::milliseconds;
using std::chrono::seconds;

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
  // The first scan, of an empty Slurm, is behind us.
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

TEST_F(MirrorStateTest, OneQuestionCarriesAllJobs) {
  for (std::uint32_t id = 1; id <= 5000; ++id) state_.track(JobId(id));
  const auto calls = state_.next(at(10));
  ASSERT_TRUE(calls.states);
  EXPECT_EQ(calls.states->ids.size(), 5000U);
  EXPECT_EQ(calls.wake, at(60'000));  // for the scan; the poll's answer comes first
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
  for (const Kind kind : {Kind::unreachable, Kind::lost, Kind::unavailable, Kind::unauthorized,
                          Kind::protocol, Kind::forbidden, Kind::too_many}) {
    const Instant now = state_.next(state_.health().pause_until()).wake;
    (void)now;
  }
  const JobView before = *state_.find(kA);
  Instant now = at(2000);
  for (const Kind kind : {Kind::unreachable, Kind::lost, Kind::unavailable, Kind::unauthorized,
                          Kind::protocol, Kind::forbidden, Kind::too_many}) {
    calls = state_.next(now);
    ASSERT_TRUE(calls.states) << base::name(kind);
    const auto changes = state_.answered_states(*calls.states, Error(kind, "x"), now);
    EXPECT_THAT(changes.jobs, IsEmpty());
    EXPECT_EQ(*state_.find(kA), before) << base::name(kind);
    EXPECT_FALSE(state_.health().healthy());
    now = state_.next(now).wake;
    EXPECT_GT(now, at(2000));
  }
}

TEST_F(MirrorStateTest, WhileSlurmIsNotWellOneQuestionAtATimeIsEnough) {
  state_.track(kA);
  state_.track(kB);
  auto calls = state_.next(at(10));
  state_.answered_states(
      *calls.states, says({{kA, JobState::running}, {kB, JobState::running}}), at(10));
  calls = state_.next(at(10));
  ASSERT_EQ(calls.resources.size(), 2U);
  state_.answered_resources(calls.resources[0], Error(Kind::lost, "x"), at(20));
  state_.answered_resources(calls.resources[1], Error(Kind::lost, "x"), at(20));
  state_.request_scan();
  EXPECT_EQ(state_.next(at(21)).wake, at(520));
  calls = state_.next(at(70'000));
  EXPECT_TRUE(calls.states);
  EXPECT_FALSE(calls.all_states);
  EXPECT_THAT(calls.resources, IsEmpty());
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
  state_.answered_resources(calls.resources.at(0), Error(Kind::conflict, "not running"), at(10));
  EXPECT_TRUE(state_.health().healthy());
  EXPECT_FALSE(state_.find(kA)->placed());
  EXPECT_THAT(state_.next(at(500)).resources, IsEmpty());
  EXPECT_EQ(state_.next(at(1010)).resources.size(), 1U);  // asked again soon
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
  EXPECT_EQ(state_.ours().at(kA).state, JobState::cancelled);
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
  EXPECT_NE(state_.find(kB), nullptr);  // its caller wants to follow it all the same
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
  calls = state_.next(state_.next(at(2000)).wake);
  calls = calls.all_states ? std::move(calls) : state_.next(calls.wake);
  EXPECT_TRUE(calls.all_states);
}

// Whatever happens in whatever order, the bounds hold, time only moves on, and in the end the
// picture is complete.
RC_GTEST_PROP(MirrorStateProperty, HoldsItsBoundsInEveryHistory, ()) {
  MirrorState state(options(), [] { return 0U; }, is_mine);
  Instant now = at(0);
  std::vector<std::function<void(bool ok)>> answers;  // of the calls under way
  std::size_t states = 0;
  std::size_t lists = 0;
  std::size_t resources = 0;
  std::size_t identities = 0;
  const auto all = says({{JobId(1), JobState::running},
                         {JobId(2), JobState::pending},
                         {JobId(3), JobState::running},
                         {JobId(4), JobState::cancelled}});

  const auto step = [&] {
    const auto calls = state.next(now);
    if (calls.states) {
      RC_ASSERT(++states == 1U);
      answers.push_back([&, call = *calls.states](bool ok) {
        --states;
        state.answered_states(call, ok ? MirrorState::States(all) : Error(Kind::lost, ""), now);
      });
    }
    if (calls.all_states) {
      RC_ASSERT(++lists == 1U);
      answers.push_back([&, call = *calls.all_states](bool ok) {
        --lists;
        state.answered_all_states(call, ok ? MirrorState::States(all) : Error(Kind::lost, ""), now);
      });
    }
    for (const auto& call : calls.resources) {
      RC_ASSERT(++resources <= options().resources_at_once);
      answers.push_back([&, call](bool ok) {
        --resources;
        using Answer = base::Result<std::vector<NodeAllocation>>;
        const std::vector<NodeAllocation> one{{.node = SlurmNodeName("k001")}};
        state.answered_resources(call, ok ? Answer(one) : Error(Kind::lost, ""), now);
      });
    }
    for (const auto& call : calls.identities) {
      RC_ASSERT(++identities <= options().identities_at_once);
      answers.push_back([&, call](bool ok) {
        --identities;
        using Answer = base::Result<JobIdentity>;
        const JobIdentity mine{call.id, JobState::pending, call.id == kB ? "mine" : ""};
        state.answered_identity(call, ok ? Answer(mine) : Error(Kind::lost, ""), now);
      });
    }
    RC_ASSERT(calls.wake > now);
    return calls.wake;
  };

  Instant since = state.scanned_since();
  for (int n = *rc::gen::inRange(0, 200); n > 0; --n) {
    const JobId id(*rc::gen::inRange<std::uint32_t>(1, 6));
    switch (*rc::gen::inRange(0, 8)) {
      case 0: state.track(id); break;
      case 1: state.forget(id); break;
      case 2: state.submitted(id, "mine", now); break;
      case 3: state.hurry(now); break;
      case 4: state.request_scan(); break;
      case 5: now += milliseconds(*rc::gen::inRange(0, 3000)); break;
      default:
        if (!answers.empty()) {
          const auto which = *rc::gen::inRange<std::size_t>(0, answers.size());
          const auto answer = std::move(answers[which]);
          answers.erase(answers.begin() + static_cast<std::ptrdiff_t>(which));
          answer(*rc::gen::inRange(0, 4) != 0);
        }
    }
    step();
    RC_ASSERT(state.scanned_since() >= since);
    since = state.scanned_since();
  }

  // Slurm is well from now on: everything comes to rest with a complete picture.
  state.track(JobId(1));
  state.request_scan();
  const Instant requested = now;
  for (int n = 0; n < 500; ++n) {
    const Instant wake = step();
    if (answers.empty()) {
      now = wake;
    } else {
      std::exchange(answers, {}).front()(true);
      while (!answers.empty()) answers.clear();
    }
  }
  RC_ASSERT(state.scanned_since() >= requested);
}

}  // namespace
}  // namespace slurm
