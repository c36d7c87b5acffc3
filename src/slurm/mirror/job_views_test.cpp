// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/job_views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline mirror {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Knowledge = JobView::Knowledge;

const JobId kA(1);
const JobId kB(2);

QueryStamp asked(std::uint64_t order) {
  return {order, base::Instant(std::chrono::seconds(order))};
}

std::vector<JobStatus> says(std::initializer_list<std::pair<JobId, JobState>> states) {
  std::vector<JobStatus> all;
  for (const auto& [id, state] : states) all.push_back({.id = id, .state = state});
  return all;
}

std::vector<SlurmNodeName> nodes(const char* name) {
  return {SlurmNodeName(name)};
}

class JobViewsTest : public ::testing::Test {
 protected:
  std::vector<JobId> apply(std::uint64_t order,
                           std::initializer_list<std::pair<JobId, JobState>> states) {
    const std::vector<JobId> both{kA, kB};
    return views_.apply(asked(order), both, says(states));
  }
  const JobView& a() const { return *views_.find(kA); }

  JobViews views_;
};

TEST_F(JobViewsTest, NothingIsKnownBeforeAnAnswer) {
  views_.add(kA, 0);
  EXPECT_EQ(a().knowledge, Knowledge::unasked);
  EXPECT_EQ(views_.find(kB), nullptr);
  EXPECT_THAT(views_.open(), ElementsAre(kA));
}

TEST_F(JobViewsTest, OnlyNewsIsAChange) {
  views_.add(kA, 0);
  EXPECT_THAT(apply(1, {{kA, JobState::pending}}), ElementsAre(kA));
  EXPECT_THAT(apply(2, {{kA, JobState::pending}}), IsEmpty());
  EXPECT_EQ(a().as_of, asked(2).at);
  EXPECT_THAT(apply(3, {{kA, JobState::running}}), ElementsAre(kA));
  EXPECT_EQ(a().state, JobState::running);
}

TEST_F(JobViewsTest, AnOlderAnswerDoesNotReplaceANewerOne) {
  views_.add(kA, 0);
  apply(5, {{kA, JobState::running}});
  EXPECT_THAT(apply(4, {{kA, JobState::pending}}), IsEmpty());
  EXPECT_THAT(apply(4, {}), IsEmpty());
  EXPECT_TRUE(a().known(JobState::running));
  EXPECT_EQ(a().as_of, asked(5).at);
}

TEST_F(JobViewsTest, AQueryFromBeforeTheJobWasTrackedDoesNotCount) {
  views_.add(kA, 7);
  EXPECT_THAT(apply(7, {}), IsEmpty());
  EXPECT_EQ(a().knowledge, Knowledge::unasked);
  views_.remove(kA);
  views_.add(kA, 9);  // followed again
  EXPECT_THAT(apply(8, {{kA, JobState::cancelled}}), IsEmpty());
  EXPECT_EQ(a().knowledge, Knowledge::unasked);
}

TEST_F(JobViewsTest, AnAnswerDoesNotChangeAJobThatWasNotInItsQuery) {
  views_.add(kA, 0);
  const std::vector<JobId> only_b{kB};
  EXPECT_THAT(views_.apply(asked(1), only_b, says({})), IsEmpty());
  EXPECT_EQ(a().knowledge, Knowledge::unasked);
}

TEST_F(JobViewsTest, UnknownIsCountedAndKeepsTheLastKnownState) {
  views_.add(kA, 0);
  apply(1, {{kA, JobState::running}});
  views_.apply_running(asked(2), kA, nodes("k001"));
  EXPECT_TRUE(a().placed());
  EXPECT_THAT(apply(3, {}), ElementsAre(kA));
  EXPECT_THAT(apply(4, {}), ElementsAre(kA));
  EXPECT_EQ(a().knowledge, Knowledge::unknown_to_slurm);
  EXPECT_EQ(a().times_unknown, 2U);
  EXPECT_EQ(a().state, JobState::running);
  EXPECT_FALSE(a().placed());
  EXPECT_THAT(views_.open(), ElementsAre(kA));
  apply(5, {{kA, JobState::running}});
  EXPECT_EQ(a().times_unknown, 0U);
  EXPECT_TRUE(a().placed());
}

TEST_F(JobViewsTest, AnEndedJobIsNotQueriedAgain) {
  views_.add(kA, 0);
  views_.add(kB, 0);
  apply(1, {{kA, JobState::cancelled}, {kB, JobState::unknown}});
  EXPECT_THAT(views_.open(), ElementsAre(kB));
  EXPECT_TRUE(views_.any_open());
  views_.remove(kB);
  EXPECT_FALSE(views_.any_open());
}

TEST_F(JobViewsTest, ARunningJobIsPlacedOnceItsNodesAreKnown) {
  views_.add(kA, 0);
  apply(1, {{kA, JobState::running}});
  EXPECT_FALSE(a().placed());
  EXPECT_TRUE(views_.apply_running(asked(2), kA, nodes("k001")));
  EXPECT_TRUE(a().placed());
  EXPECT_FALSE(views_.apply_running(asked(3), kA, nodes("k001")));  // no change
  EXPECT_FALSE(views_.apply_running(asked(2), kA, nodes("k009")));  // older
  EXPECT_THAT(a().nodes, ElementsAre(SlurmNodeName("k001")));
  EXPECT_FALSE(views_.apply_running(asked(4), kB, nodes("k001")));  // not followed
}

TEST_F(JobViewsTest, AReadOfARunningJobIsAlsoAnAnswerAboutItsState) {
  views_.add(kA, 0);
  apply(1, {{kA, JobState::pending}});
  EXPECT_TRUE(views_.apply_running(asked(2), kA, nodes("k001")));
  EXPECT_TRUE(a().placed());
  EXPECT_EQ(a().as_of, asked(2).at);
  EXPECT_EQ(a().read_as_of, asked(2).at);
  apply(4, {{kA, JobState::cancelled}});
  EXPECT_FALSE(views_.apply_running(asked(3), kA, nodes("k001")));  // older than the end
  EXPECT_TRUE(a().known(JobState::cancelled));
}

TEST_F(JobViewsTest, AJobThatIsPendingAgainHasNoNodesWhateverWasQueriedBefore) {
  views_.add(kA, 0);
  apply(1, {{kA, JobState::running}});
  views_.apply_running(asked(2), kA, nodes("k001"));
  apply(4, {{kA, JobState::pending}});
  EXPECT_TRUE(a().nodes.empty());
  EXPECT_FALSE(views_.apply_running(asked(3), kA, nodes("k001")));
  EXPECT_TRUE(a().nodes.empty());
}

}  // namespace
}  // namespace slurm::inline mirror
