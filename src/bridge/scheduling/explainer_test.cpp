// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/explainer.h"

#include "bridge/testing/scheduling_role.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using base::Error;
using base::Kind;
using testing::a_pod;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;
using When = kube::Requeue::When;

constexpr auto kStatus = "PATCH /api/v1/namespaces/a/pods/train-0/status";

class ExplainerTest : public testing::SchedulingTest {
 protected:
  ExplainerTest() {
    pass(1h);
    record.uid = kube::Uid("u-1");
    record.first_seen = loop.now();
  }

  PodRecord record;
  const writes::Explanation waiting = explain(writes::Cause::waiting, "Waiting in Slurm (job 7).");
};

TEST_F(ExplainerTest, APodThatStartsWithinTwoSecondsCostsNoWrite) {
  const auto pod = see(a_pod().job(7));
  const auto again = result_of(explainer.wait(pod, record, waiting), 0s);
  EXPECT_EQ(again.when, When::after);
  EXPECT_EQ(again.delay, base::Duration(2s));
  EXPECT_THAT(kube_writes(), IsEmpty());
}

TEST_F(ExplainerTest, AnExplanationIsWrittenOnceToTheStatus) {
  const auto pod = see(a_pod().job(7));
  pass(3s);
  (void)result_of(explainer.wait(pod, record, waiting));
  EXPECT_THAT(kube_writes(), ElementsAre(kStatus));
  EXPECT_THAT(last_kube_body(), HasSubstr("Waiting in Slurm (job 7)."));
  EXPECT_EQ(record.explained, waiting);

  kube::Pod shown = *pod;
  shown.status.conditions.push_back({.type = "PodScheduled",
                                     .status = "False",
                                     .reason = "WaitingInSlurm",
                                     .message = "Waiting in Slurm (job 7).",
                                     .lastTransitionTime = ""});
  (void)result_of(explainer.wait(see(shown), record, waiting));
  EXPECT_EQ(kube_writes().size(), 1U) << "the pod already shows the explanation";
}

TEST_F(ExplainerTest, ARefusalIsAlsoAnEvent) {
  tasks.spawn("events", events.run());
  pass(3s);
  (void)result_of(explainer.wait(
      see(a_pod()), record, explain(writes::Cause::refused, "Invalid qos specification (2066)")));
  pass(10s);
  EXPECT_EQ(to_kube.count("/events"), 1U);
}

TEST_F(ExplainerTest, AFailureIsExplainedWhenItLastsTenSeconds) {
  const auto pod = see(a_pod());
  const writes::Explanation why = explain(writes::Cause::slurm_unreachable, "connection refused");
  const base::Instant since = loop.now();
  const auto fail = [&]() -> net::Task<int> {
    co_await explainer.persistent_failure(pod, record, {since, why});
    co_return 0;
  };
  pass(9s);
  (void)result_of(fail(), 0s);
  EXPECT_THAT(kube_writes(), IsEmpty());
  pass(1s);
  (void)result_of(fail());
  EXPECT_THAT(kube_writes(), ElementsAre(kStatus));
}

TEST_F(ExplainerTest, AProcessThatDoesNotLeadWritesNoFailure) {
  leads = false;
  pass(1h);
  const auto fail = [&]() -> net::Task<int> {
    co_await explainer.persistent_failure(
        see(a_pod()),
        record,
        {loop.now() - 1min, explain(writes::Cause::slurm_unreachable, "away")});
    co_return 0;
  };
  (void)result_of(fail());
  EXPECT_THAT(kube_writes(), IsEmpty());
}

TEST_F(ExplainerTest, APodThatIsHeldIsCheckedTwiceASecond) {
  const auto pod = see(a_pod().job(7));
  pass(3s);
  const auto held = explain(writes::Cause::node_cannot, "the node is cordoned");
  const auto first = result_of(explainer.wait(pod, record, held), 0s);
  EXPECT_EQ(first.when, When::after);
  EXPECT_EQ(first.delay, base::Duration(500ms));
  EXPECT_THAT(kube_writes(), IsEmpty()) << "most holds end within two seconds";
  pass(2s);
  (void)result_of(explainer.wait(pod, record, held), 0s);
  EXPECT_THAT(kube_writes(), ElementsAre(kStatus));
}

TEST_F(ExplainerTest, ThePodOfACancelledJobIsExplainedOnlyIfItIsNotDeletedWithinTenSeconds) {
  const auto pod = see(a_pod().job(7));
  pass(3s);
  const auto cancelled = explain(writes::Cause::job_cancelled, "Slurm job 7 was cancelled");
  const auto first = result_of(explainer.wait(pod, record, cancelled), 0s);
  EXPECT_EQ(first.delay, base::Duration(10s));
  EXPECT_THAT(kube_writes(), IsEmpty());
  pass(10s);
  (void)result_of(explainer.wait(pod, record, cancelled));
  EXPECT_THAT(kube_writes(), ElementsAre(kStatus));
}

TEST_F(ExplainerTest, ARefusedWriteCountsFromItsFirstRefusal) {
  live.hold = 60s;
  const auto pod = see(a_pod());
  const Error forbidden(Kind::forbidden, "pods is forbidden");
  (void)result_of(explainer.write_failed("label", pod, record, forbidden), 0s);
  pass(59s);
  (void)result_of(explainer.write_failed("label", pod, record, forbidden), 0s);
  EXPECT_FALSE(explainer.write_refused_past_hold(record));
  pass(1s);
  EXPECT_TRUE(explainer.write_refused_past_hold(record));
  (void)result_of(explainer.write_failed("label", pod, record, Error(Kind::lost, "no answer")), 0s);
  EXPECT_FALSE(explainer.write_refused_past_hold(record)) << "a lost answer is not a refusal";
}

TEST_F(ExplainerTest, ThePodIsRequeuedForTheEndOfItsRefusalOrSubmitBlocker) {
  record.refused_until = loop.now() + 20s;
  record.blocked_until = loop.now() + 5s;
  explainer.recheck_when_block_ends({"a", "train-0"}, record);
  pass(4s);
  EXPECT_THAT(queued, IsEmpty());
  pass(1s);
  EXPECT_THAT(queued, ElementsAre(kube::ObjectKey{"a", "train-0"}));
}

}  // namespace
}  // namespace bridge::scheduling
