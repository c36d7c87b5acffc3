// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/placements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline mirror {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const JobId kA(1);
const JobId kB(2);

base::Instant at(int second) {
  return base::Instant(seconds(second));
}

TEST(Placements, EveryStartedJobIsReadOnceAndNotTooManyAtATime) {
  Placements placements(2, seconds(60));
  for (std::uint32_t id = 1; id <= 3; ++id) placements.runs(JobId(id));
  EXPECT_THAT(placements.start(at(0)), ElementsAre(JobId(1), JobId(2)));
  EXPECT_EQ(placements.due(), base::kNever);
  placements.runs(kA);  // already known
  EXPECT_THAT(placements.start(at(0)), IsEmpty());
  placements.answered(kA, at(0));
  EXPECT_THAT(placements.start(at(0)), ElementsAre(JobId(3)));
  placements.answered(kB, at(0));
  placements.answered(JobId(3), at(0));
  EXPECT_THAT(placements.start(at(59)), IsEmpty());
  EXPECT_EQ(placements.due(), at(60));
}

TEST(Placements, AFailureIsRetriedSoon) {
  Placements placements(8, seconds(60));
  placements.runs(kA);
  EXPECT_THAT(placements.start(at(0)), ElementsAre(kA));
  placements.failed(kA, at(0));
  EXPECT_EQ(placements.due(), at(1));
  EXPECT_THAT(placements.start(at(1)), ElementsAre(kA));
}

TEST(Placements, TheRotationCostsOneCallPerSecondHoweverManyRun) {
  Placements placements(8, seconds(60));
  for (std::uint32_t id = 1; id <= 1000; ++id) placements.runs(JobId(id));
  for (auto ids = placements.start(at(0)); !ids.empty(); ids = placements.start(at(0))) {
    for (const JobId id : ids) placements.answered(id, at(0));
  }
  std::size_t calls = 0;
  for (int second = 60; second < 160; ++second) {
    for (const JobId id : placements.start(at(second))) {
      placements.answered(id, at(second));
      ++calls;
    }
  }
  EXPECT_EQ(calls, 100U);
}

TEST(Placements, AStartedJobIsReadBeforeTheRotation) {
  Placements placements(1, seconds(60));
  placements.runs(kA);
  placements.start(at(0));
  placements.answered(kA, at(0));
  placements.runs(kB);
  EXPECT_THAT(placements.start(at(100)), ElementsAre(kB));
}

TEST(Placements, AStoppedJobIsForgottenEvenWhileItIsRead) {
  Placements placements(8, seconds(60));
  placements.runs(kA);
  placements.runs(kB);
  placements.stopped(kB);
  EXPECT_THAT(placements.start(at(0)), ElementsAre(kA));
  placements.stopped(kA);
  placements.answered(kA, at(0));
  EXPECT_EQ(placements.due(), base::kNever);
  placements.runs(kA);  // runs again: read again
  EXPECT_THAT(placements.start(at(1)), ElementsAre(kA));
}

}  // namespace
}  // namespace slurm::inline mirror
