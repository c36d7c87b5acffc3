// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/cohort.h"

#include <gtest/gtest.h>

#include <chrono>

namespace bridge::state {
namespace {

using Standing = CohortJob::Standing;

base::WallTime at(int second) {
  return base::WallTime(std::chrono::seconds(second));
}

// `count` jobs of one standing, with older_than_pods_bound_after one second apart, beginning at
// `from`.
struct Some {
  Standing standing;
  int count;
  int from = 0;
};

struct Row {
  const char* what;
  std::vector<Some> jobs;
  int bound;  // of the pod in question, whose job is one of the lost ones
  StateLoss want;
};

constexpr int kLate = 1000;

const Row kRows[] = {
    {"one of many is lost",
     {{Standing::known, 19}, {Standing::lost, 1}},
     kLate,
     StateLoss::isolated},
    {"one of two", {{Standing::known, 1}, {Standing::lost, 1}}, kLate, StateLoss::isolated},
    {"half of them", {{Standing::known, 10}, {Standing::lost, 10}}, kLate, StateLoss::isolated},
    {"one more than half",
     {{Standing::known, 10}, {Standing::lost, 11}},
     kLate,
     StateLoss::widespread},
    {"all but one", {{Standing::known, 1}, {Standing::lost, 19}}, kLate, StateLoss::widespread},
    {"all", {{Standing::lost, 20}}, kLate, StateLoss::widespread},
    {"the only one", {{Standing::lost, 1}}, kLate, StateLoss::widespread},
    {"nobody knows of it yet", {{Standing::known, 5}}, kLate, StateLoss::undetermined},

    {"only younger ones are known",
     {{Standing::known, 50, kLate + 1}, {Standing::lost, 1}},
     kLate,
     StateLoss::widespread},
    {"those that were bound since do not outvote the lost ones",
     {{Standing::known, 1}, {Standing::known, 50, kLate + 1}, {Standing::lost, 19}},
     kLate,
     StateLoss::widespread},
    {"one that is exactly as old counts",
     {{Standing::known, 1, kLate}, {Standing::lost, 1}},
     kLate,
     StateLoss::isolated},

    {"nobody has been heard since",
     {{Standing::open, 19}, {Standing::lost, 1}},
     kLate,
     StateLoss::undetermined},
    {"as many may be lost as are known",
     {{Standing::known, 1}, {Standing::open, 1}, {Standing::lost, 1}},
     kLate,
     StateLoss::undetermined},
    {"more are known than may be lost",
     {{Standing::known, 2}, {Standing::open, 1}, {Standing::lost, 1}},
     kLate,
     StateLoss::isolated},
    {"of thousands that were not heard a few heard ones are enough",
     {{Standing::known, 9}, {Standing::open, 5000}, {Standing::lost, 1}},
     kLate,
     StateLoss::isolated},
    {"but not fewer",
     {{Standing::known, 8}, {Standing::open, 5000}, {Standing::lost, 1}},
     kLate,
     StateLoss::undetermined},
    {"whatever those say who were not heard yet",
     {{Standing::known, 2}, {Standing::open, 3}, {Standing::lost, 6}},
     kLate,
     StateLoss::widespread},
    {"younger ones that were not heard yet cannot help",
     {{Standing::open, 5, kLate + 1}, {Standing::lost, 1}},
     kLate,
     StateLoss::widespread},
};

TEST(Cohort, AbsenceIsProofOnlyIfSlurmKnowsAsManyJobsOfThatAgeAsItLost) {
  for (const Row& row : kRows) {
    std::vector<CohortJob> jobs;
    for (const Some& some : row.jobs) {
      for (int i = some.count; i-- > 0;) jobs.push_back({some.standing, at(some.from + i)});
    }
    EXPECT_EQ(Cohort(jobs).loss(at(row.bound)), row.want) << row.what;
  }
}

// A group of 64 pods under one job is one known job, or one lost job.
TEST(Cohort, ThePodsOfOneJobCountOnce) {
  const std::vector<CohortJob> known(64, {Standing::known, at(5)});
  ASSERT_EQ(counted_once(known).size(), 1U);
  EXPECT_EQ(counted_once(known).front().standing, Standing::known);
  EXPECT_EQ(counted_once(std::vector<CohortJob>(64, {Standing::lost})).size(), 1U);
}

TEST(Cohort, TheEarliestKnownPodOfAJobIsCounted) {
  const auto once =
      counted_once({{Standing::known, at(9)}, {Standing::open, at(2)}, {Standing::known, at(5)}});
  ASSERT_EQ(once.size(), 1U);
  EXPECT_EQ(once.front().standing, Standing::known);
  EXPECT_EQ(once.front().older_than_pods_bound_after, at(5));
}

TEST(Cohort, AReusedJobIdIsKnownForOnePodAndLostForAnother) {
  EXPECT_EQ(counted_once({{Standing::known, at(9)}, {Standing::lost}}).size(), 2U);
}

}  // namespace
}  // namespace bridge::state
