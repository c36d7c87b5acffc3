// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/accounting_answer.h"

#include "slurm/testing/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline api {
namespace {

using base::Kind;
using testing::answer;
using ::testing::ElementsAre;
using testing::sample;

TEST(Associations, AreReadWithTheirAccounts) {
  const auto all = associations(sample("associations"));
  ASSERT_TRUE(all.ok()) << all.error().to_string();
  EXPECT_THAT(*all,
              ElementsAre(Association{"slurm", "biology", "devcluster", "", false},
                          Association{"slurm", "physics", "devcluster", "", true}));
}

TEST(Associations, OfAUserWithoutAnyAreAnEmptyList) {
  EXPECT_THAT(*associations(sample("associations-none")), ElementsAre());
}

TEST(Associations, AnErrorIsNeverAnEmptyList) {
  EXPECT_FALSE(associations(sample("err-future-api-version")).ok());  // no slurmdbd: an unknown URL
  EXPECT_TRUE(associations(sample("err-expired-token")).error().is(Kind::unauthorized));
  EXPECT_FALSE(associations(answer(200, R"({"errors":[],"warnings":[]})")).ok());
}

TEST(AccountedJobs, SayHowTheyEndedAndWhoseTheyWere) {
  const auto jobs = accounted_jobs(sample("accounted-job"));
  ASSERT_TRUE(jobs.ok()) << jobs.error().to_string();
  EXPECT_THAT(*jobs,
              ElementsAre(AccountedJob{JobId(1), JobState::cancelled, R"({"pods":["a/b"]})"}));
}

TEST(AccountedJobs, OfAnUnknownIdAreAnEmptyListAndAnErrorNeverIs) {
  EXPECT_THAT(*accounted_jobs(sample("accounted-job-none")), ElementsAre());
  EXPECT_FALSE(accounted_jobs(sample("err-future-api-version")).ok());
  EXPECT_FALSE(accounted_jobs(answer(200, R"({"errors":[],"warnings":[]})")).ok());
}

}  // namespace
}  // namespace slurm::inline api
