// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/surplus_job.h"

#include "bridge/testing/scheduling_role.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using slurm::JobId;
using slurm::testing::answer;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr auto kComment = R"({"pods":["a/train-0"]})";

class SurplusJob : public testing::SchedulingTest {
 protected:
  SurplusJob() {
    pass(1h);
    kube_answers = [](const auto&) {
      return Reply{answer(200,
                          R"({"metadata":{"name":"train-0","namespace":"a","uid":"u-1",)"
                          R"("resourceVersion":"7"}})")};
    };
    slurm_answers = [this](const net::http::Request& request) {
      if (request.method != "GET") return Reply{answer(200, R"({"errors":[]})")};
      return Reply{answer(200,
                          fmt::format(R"({{"jobs":[{{"job_id":7,"job_state":["RUNNING"],)"
                                      R"("submit_time":{{"set":true,"infinite":false,)"
                                      R"("number":{}}},"admin_comment":{}}}],"errors":[]}})",
                                      submitted,
                                      R"("{\"pods\":[\"a/train-0\"]}")"))};
    };
  }
  bool cancel(OwnJob own) {
    return result_of(
        cancel_surplus_job(context, cluster, {"a", "train-0"}, kube::Uid("u-1"), std::move(own)));
  }

  std::int64_t submitted = 1700000000;
};

TEST_F(SurplusJob, IsCancelledIfItIsTheExpectedOne) {
  const OwnJob own{JobId(7), kComment, base::WallTime(1700000000s)};
  EXPECT_TRUE(cancel(own));
  ASSERT_EQ(slurm_writes().size(), 1U);
  EXPECT_THAT(slurm_writes()[0], HasSubstr("DELETE /slurm/"));
}

TEST_F(SurplusJob, WithAnUnknownTimeOfSubmitIsRecognizedByItsComment) {
  EXPECT_TRUE(cancel({JobId(7), kComment}));
  EXPECT_EQ(slurm_writes().size(), 1U);
}

// Simulation seed 100024703: slurmctld crashed and issued the id again, for the next job of the
// same pod.
TEST_F(SurplusJob, IsNotAnotherJobOfThePodWithTheSameId) {
  submitted = 1700000007;
  EXPECT_TRUE(cancel({JobId(7), kComment, base::WallTime(1700000000s)}));
  EXPECT_EQ(slurm_writes().size(), 0U);
}

}  // namespace
}  // namespace bridge::scheduling
