// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/job_update.h"

#include "slurm/api/answer.h"
#include "slurm/testing/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline api {
namespace {

using base::Kind;
using testing::sample;

TEST(JobUpdateBody, SendsOnlyWhatChanges) {
  EXPECT_EQ(job_update_body({}), "{}");
  JobUpdate release;
  release.hold = false;
  EXPECT_EQ(job_update_body(release), R"({"hold":false})");
  JobUpdate empty_text;
  empty_text.comment = "";
  EXPECT_EQ(job_update_body(empty_text), R"({"comment":""})");
}

TEST(JobUpdateBody, SizesAJobInEveryMemberThatSlurmLooksAt) {
  JobUpdate update;
  update.nodes = 3;
  update.tasks = 6;
  EXPECT_EQ(job_update_body(update),
            R"({"tasks":6,"minimum_nodes":3,"maximum_nodes":3,"nodes":"3"})");
}

TEST(JobUpdateBody, CarriesEveryMember) {
  JobUpdate update;
  update.admin_comment = "{\"pods\":[]}";
  update.partition = "gpu";
  update.time_limit_minutes = 30;
  update.excluded_nodes = {SlurmNodeName("k001"), SlurmNodeName("k002")};
  EXPECT_EQ(job_update_body(update),
            R"({"admin_comment":"{\"pods\":[]}","partition":"gpu",)"
            R"("time_limit":{"infinite":false,"number":30,"set":true},)"
            R"("excluded_nodes":["k001","k002"]})");
}

TEST(JobUpdateBody, WritesAnEmptyExclusionAsOneEmptyName) {
  JobUpdate update;
  update.excluded_nodes.emplace();
  EXPECT_EQ(job_update_body(update), R"({"excluded_nodes":[""]})");
}

TEST(JobUpdateAnswer, ReportsTheOutcome) {
  EXPECT_TRUE(done(sample("job-update")).ok());
  const struct {
    const char* sample;
    Kind kind;
    int code;
  } kRows[] = {
      {"err-update-unknown-job", Kind::not_found, 2017},
      {"err-update-ended-job", Kind::conflict, 2084},
      {"err-update-admin-comment-as-user", Kind::forbidden, 2002},
      {"err-update-memory-of-running", Kind::refused, 2036},
  };
  for (const auto& row : kRows) {
    const auto outcome = done(sample(row.sample));
    ASSERT_FALSE(outcome.ok()) << row.sample;
    EXPECT_EQ(outcome.error().kind(), row.kind) << row.sample;
    EXPECT_EQ(outcome.error().code(), row.code) << row.sample;
  }
}

}  // namespace
}  // namespace slurm::inline api
