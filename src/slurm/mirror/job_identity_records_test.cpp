// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/job_identity_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline mirror {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pointee;

const JobId kA(1);
const JobId kB(2);
const JobId kC(3);

base::Instant at(int second) {
  return base::Instant(std::chrono::seconds(second));
}

TEST(JobIdentityRecords, EveryWantedJobIsQueriedOnceAndNotTooManyAtATime) {
  JobIdentityRecords claims(2);
  for (const JobId id : {kA, kB, kC}) claims.want(id);
  EXPECT_THAT(claims.start(at(0)), ElementsAre(kA, kB));
  EXPECT_EQ(claims.due(), base::kNever);
  claims.want(kA);  // already wanted
  EXPECT_EQ(claims.find(kA), nullptr);
  claims.answered(kA, {"mine", "job"});
  ASSERT_NE(claims.find(kA), nullptr);
  EXPECT_EQ(claims.find(kA)->admin_comment, std::string("mine"));
  EXPECT_THAT(claims.start(at(0)), ElementsAre(kC));
  claims.answered(kB, {"", "job"});
  claims.answered(kC, {"", "job"});
  EXPECT_THAT(claims.start(at(100)), IsEmpty());
  EXPECT_EQ(claims.due(), base::kNever);
}

TEST(JobIdentityRecords, AFailedQueryIsRepeatedAtItsTime) {
  JobIdentityRecords claims(2);
  claims.want(kA);
  claims.start(at(0));
  claims.failed(kA, at(5));
  EXPECT_EQ(claims.due(), at(5));
  EXPECT_THAT(claims.start(at(4)), IsEmpty());
  EXPECT_THAT(claims.start(at(5)), ElementsAre(kA));
}

TEST(JobIdentityRecords, AForgottenJobIsNotRememberedByALateAnswer) {
  JobIdentityRecords claims(1);
  claims.want(kA);
  claims.start(at(0));
  claims.forget(kA);
  claims.answered(kA, {"mine", "job"});
  EXPECT_EQ(claims.find(kA), nullptr);
  claims.want(kB);
  EXPECT_THAT(claims.start(at(0)), ElementsAre(kB));  // its slot is free again
  claims.forget(kB);
  claims.failed(kB, at(1));
  EXPECT_EQ(claims.due(), base::kNever);
}

}  // namespace
}  // namespace slurm::inline mirror
