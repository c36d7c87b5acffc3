// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/submitter.h"

#include "bridge/testing/scheduling_role.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace bridge::scheduling {
namespace {

using base::Error;
using base::Kind;
using slurm::JobId;
using slurm::testing::answer;
using testing::a_pod;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;
using When = kube::Requeue::When;

class SubmitterTest : public testing::SchedulingTest {
 protected:
  SubmitterTest() {
    pass(1h);
    record.uid = kube::Uid("u-1");
    record.first_seen = loop.now();
  }

  // A request with a required node: the nodes are not evaluated.
  static slurm::JobRequest request() {
    slurm::JobRequest request;
    request.admin_comment = R"({"pods":["a/train-0"]})";
    request.required_nodes = {slurm::SlurmNodeName("k001")};
    return request;
  }
  Submitter::Preparation prepare(std::shared_ptr<const kube::Pod> pod, PodRecord& of) {
    return result_of(submitter.prepare(std::move(pod), of, request()), 1s);
  }
  void slurm_accepts(std::uint32_t job) {
    slurm_answers = [job](const auto&) {
      return Reply{answer(200, fmt::format(R"({{"job_id":{},"errors":[]}})", job))};
    };
  }
  void slurm_refuses(int number, std::string_view text) {
    slurm_answers = [=](const auto&) {
      return Reply{answer(
          500, fmt::format(R"({{"errors":[{{"error_number":{},"error":"{}"}}]}})", number, text))};
    };
  }

  OwnerReader owners{loop, tasks, kube_client};
  VolumeReader volumes{loop, tasks, kube_client};
  NodeChoice choice{loop, cluster, volumes};
  std::map<kube::ObjectKey, PodRecord*> records;
  Submitter submitter{
      context, cluster, {explainer, owners, choice, queue, [this](const kube::ObjectKey& key) {
                           const auto found = records.find(key);
                           return found == records.end() ? nullptr : found->second;
                         }}};
  PodRecord record;
};

TEST_F(SubmitterTest, ASubmittedRequestIsRecordedAsTheJobOfThePod) {
  const auto pod = see(a_pod());
  auto preparation = prepare(pod, record);
  ASSERT_TRUE(std::holds_alternative<Submitter::Prepared>(preparation));
  EXPECT_THAT(slurm_writes(), IsEmpty()) << "nothing is sent before the decision to submit";
  slurm_accepts(7);
  const auto again = result_of(
      submitter.submit(pod, record, std::get<Submitter::Prepared>(std::move(preparation)).request));
  ASSERT_TRUE(record.made);
  EXPECT_EQ(record.made->id, JobId(7));
  EXPECT_EQ(again.when, When::now);
}

TEST_F(SubmitterTest, NothingIsPreparedBeforeSlurmsNodesAreKnown) {
  slurm::JobRequest anywhere = request();
  anywhere.required_nodes.clear();
  const auto outcome = result_of(submitter.prepare(see(a_pod()), record, anywhere), 1s);
  ASSERT_TRUE(std::holds_alternative<kube::Requeue>(outcome));
  EXPECT_EQ(std::get<kube::Requeue>(outcome).when, When::after);
}

struct FailedSubmit {
  std::string_view situation;
  base::Result<net::http::Response> reply;
  bool requires_scan;
};

TEST_F(SubmitterTest, ASubmitWithAnUnknownOutcomeRequiresAScanBeforeTheNext) {
  const FailedSubmit kRows[] = {
      {"the answer was lost", Error(Kind::lost, "closed"), true},
      {"a proxy's error", answer(500, "<html>"), true},
      {"nothing was sent", Error(Kind::unreachable, "refused"), false},
      {"the token was rejected", answer(511, "{}"), false},
  };
  for (const FailedSubmit& row : kRows) {
    PodRecord fresh;
    fresh.first_seen = loop.now();
    slurm_answers = [&row](const auto&) { return Reply{row.reply}; };
    const auto pod = see(a_pod());
    auto prepared = prepare(pod, fresh);
    ASSERT_TRUE(std::holds_alternative<Submitter::Prepared>(prepared)) << row.situation;
    const auto again = result_of(
        submitter.submit(pod, fresh, std::get<Submitter::Prepared>(std::move(prepared)).request),
        20s);
    EXPECT_FALSE(fresh.made) << row.situation;
    EXPECT_EQ(fresh.scan_required_since != base::Instant::min(), row.requires_scan)
        << row.situation;
    EXPECT_EQ(again.when, When::after_backoff) << row.situation;
  }
}

TEST_F(SubmitterTest, PodsWithEqualRequestsShareARefusalWithoutARequest) {
  const auto first = see(a_pod());
  auto prepared = prepare(first, record);
  slurm_refuses(2066, "Invalid qos specification");
  (void)result_of(
      submitter.submit(first, record, std::get<Submitter::Prepared>(std::move(prepared)).request),
      1s);
  ASSERT_TRUE(record.refusal);
  EXPECT_EQ(slurm_writes().size(), 1U);

  kube::Pod other = a_pod();
  other.metadata.name = "train-1";
  other.metadata.uid = kube::Uid("u-2");
  PodRecord second;
  second.first_seen = loop.now();
  const auto outcome = prepare(see(other), second);
  EXPECT_TRUE(std::holds_alternative<Submitter::Blocked>(outcome));
  ASSERT_TRUE(second.refusal);
  EXPECT_THAT(second.refusal->message(), HasSubstr("Invalid qos"));
  EXPECT_GT(second.refused_until, loop.now());
  EXPECT_EQ(slurm_writes().size(), 1U) << "no second request to Slurm";
}

TEST_F(SubmitterTest, AtMostThirtyTwoSubmitsRunAndTheNextPodIsCalledWhenOneEnds) {
  std::vector<Submitter::Preparation> under_way;
  for (int i = 0; i < 32; ++i) {
    kube::Pod pod = a_pod();
    pod.metadata.name = fmt::format("pod-{}", i);
    PodRecord fresh;
    under_way.push_back(prepare(see(pod), fresh));
    ASSERT_TRUE(std::holds_alternative<Submitter::Prepared>(under_way.back())) << i;
  }
  const auto waits = prepare(see(a_pod()), record);
  ASSERT_TRUE(std::holds_alternative<kube::Requeue>(waits));
  const kube::ObjectKey key{"a", "train-0"};
  submitter.run_ended(key, false);
  pass(1s);
  EXPECT_THAT(queued, IsEmpty());
  under_way.pop_back();
  submitter.run_ended({"a", "pod-31"}, false);
  pass(1s);
  EXPECT_THAT(queued, ElementsAre(key));
  EXPECT_TRUE(std::holds_alternative<Submitter::Prepared>(prepare(see(a_pod()), record)));
}

TEST_F(SubmitterTest, AScanIsRequestedOnlyAfterALostRequestHasSettled) {
  record.scan_required_since = loop.now() + 3s;
  const auto again = result_of(submitter.look_for_job(see(a_pod()), record), 0s);
  EXPECT_EQ(again.when, When::after);
  EXPECT_EQ(again.delay, base::Duration(3s));
}

}  // namespace
}  // namespace bridge::scheduling
