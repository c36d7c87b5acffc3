// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/placer.h"

#include "bridge/testing/scheduling_role.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

constexpr auto kPatch = "PATCH /api/v1/namespaces/a/pods/train-0";
constexpr auto kBind = "POST /api/v1/namespaces/a/pods/train-0/binding";

class PlacerTest : public testing::SchedulingTest {
 protected:
  PlacerTest() {
    pass(1h);
    record.uid = kube::Uid("u-1");
    record.first_seen = loop.now();
  }
  void kube_refuses(int status) {
    kube_answers = [status](const auto&) {
      return Reply{answer(status, R"({"kind":"Status","message":"no"})")};
    };
  }
  void job_is_known(std::uint32_t id) { mirror.submitted(JobId(id), R"({"pods":["a/train-0"]})"); }

  VolumeReader volumes{loop, tasks, kube_client};
  Placer placer{context, cluster, explainer, volumes};
  PodRecord record;
};

TEST_F(PlacerTest, AnAcceptedLabelRemovesTheSubmittedJobFromTheRecord) {
  record.made = OwnJob{JobId(7), "{}"};
  const auto again = result_of(placer.label(see(a_pod()), record, JobId(7)));
  EXPECT_THAT(kube_writes(), ElementsAre(kPatch));
  EXPECT_THAT(last_kube_body(), HasSubstr(fmt::format(R"("{}":"7")", workload::kJobIdLabel)));
  EXPECT_THAT(last_kube_body(), HasSubstr(R"("resourceVersion":"7")"));
  EXPECT_FALSE(record.made);
  EXPECT_EQ(again.when, When::now);
}

TEST_F(PlacerTest, ARefusedLabelKeepsTheSubmittedJobInTheRecordAndIsRetried) {
  kube_refuses(403);
  record.made = OwnJob{JobId(7), "{}"};
  const auto again = result_of(placer.label(see(a_pod()), record, JobId(7)), 1s);
  EXPECT_TRUE(record.made);
  EXPECT_TRUE(record.write_refused);
  EXPECT_EQ(again.when, When::after_backoff);
}

// A job that a scan found: another instance may have cancelled it since, and the bridge deletes a
// pod whose named job was cancelled.
TEST_F(PlacerTest, AFoundJobIsReadBeforeThePodIsLabelledWithIt) {
  const auto job = [](std::string_view state, std::string_view pod) {
    return answer(200,
                  fmt::format(R"({{"jobs":[{{"job_id":7,"job_state":["{}"],)"
                              R"("admin_comment":"{{\"pods\":[\"{}\"]}}"}}],"errors":[]}})",
                              state,
                              pod));
  };
  struct Row {
    const char* what;
    net::http::Response read;
    bool labelled;
  };
  const Row kRows[] = {
      {"it waits", job("PENDING", "a/train-0"), true},
      {"it runs", job("RUNNING", "a/train-0"), true},
      {"it was cancelled", job("CANCELLED", "a/train-0"), false},
      {"its id belongs to another job", job("RUNNING", "a/other"), false},
  };
  for (const Row& row : kRows) {
    to_kube.calls.clear();
    job_is_known(7);
    slurm_answers = [&row](const auto&) { return Reply{row.read}; };
    const auto again = result_of(placer.label(see(a_pod()), record, JobId(7)));
    EXPECT_EQ(kube_writes().size(), row.labelled ? 1U : 0U) << row.what;
    EXPECT_EQ(mirror.ours().contains(JobId(7)), row.labelled) << row.what;
    EXPECT_EQ(again.when, When::now) << row.what;
  }
}

TEST_F(PlacerTest, AFoundJobThatCannotBeReadIsNotWrittenToThePod) {
  job_is_known(7);
  slurm_answers = [](const auto&) { return Reply{Error(Kind::unreachable, "refused")}; };
  const auto again = result_of(placer.label(see(a_pod()), record, JobId(7)));
  EXPECT_THAT(kube_writes(), IsEmpty());
  EXPECT_TRUE(mirror.ours().contains(JobId(7)));
  EXPECT_EQ(again.when, When::after_backoff);
}

TEST_F(PlacerTest, ABindNamesUidVersionAndNodeAndCountsOnTheNodeAtOnce) {
  const auto pod = see(a_pod().job(7));
  kube_answers = [this, &pod](const auto&) {
    EXPECT_TRUE(cluster.usage().has(pod->metadata.uid)) << "the pod is counted before the answer";
    return Reply{answer(201, "{}")};
  };
  const auto again = result_of(placer.bind(pod, record, Bind{JobId(7), kube::NodeName("k001")}));
  EXPECT_THAT(kube_writes(), ElementsAre(kBind));
  EXPECT_THAT(last_kube_body(), HasSubstr(R"("uid":"u-1")"));
  EXPECT_THAT(last_kube_body(), HasSubstr(R"("name":"k001")"));
  EXPECT_TRUE(record.bind_accepted_at);
  EXPECT_EQ(again.when, When::after) << "the bind is sent again if the watch does not show it";
}

struct BindFailure {
  std::string_view situation;
  base::Result<net::http::Response> reply;
  bool still_counts;
};

TEST_F(PlacerTest, OnlyAnAnswerThatExcludesABindRemovesThePodFromTheNodesUsage) {
  const BindFailure kRows[] = {
      {"the answer was lost", Error(Kind::lost, "closed"), true},
      {"a conflict with an earlier bind", answer(409, "{}"), true},
      {"forbidden", answer(403, "{}"), false},
      {"nothing was sent", Error(Kind::unreachable, "refused"), false},
  };
  for (const BindFailure& row : kRows) {
    kube_answers = [&row](const auto&) { return Reply{row.reply}; };
    const auto pod = see(a_pod().job(7));
    (void)result_of(placer.bind(pod, record, Bind{JobId(7), kube::NodeName("k001")}), 1s);
    EXPECT_EQ(cluster.usage().has(pod->metadata.uid), row.still_counts) << row.situation;
    EXPECT_FALSE(record.bind_accepted_at) << row.situation;
  }
}

TEST_F(PlacerTest, TheLabelOfAReleasedJobIsRemovedBeforeTheCancel) {
  job_is_known(7);
  const auto again = result_of(placer.release_and_resubmit(
      see(a_pod().job(7)),
      record,
      {JobId(7), slurm::SlurmNodeName("k001"), "too small", writes::Cause::node_never}));
  EXPECT_THAT(kube_writes(), ElementsAre(kPatch));
  EXPECT_THAT(slurm_writes(), IsEmpty()) << "the cancel is a separate step";
  ASSERT_TRUE(record.returned);
  EXPECT_EQ(record.returned->id, JobId(7));
  EXPECT_TRUE(record.released_jobs.contains(JobId(7)));
  EXPECT_EQ(record.avoid.count(slurm::SlurmNodeName("k001")), 1U);
  EXPECT_EQ(again.when, When::now);
}

TEST_F(PlacerTest, OnlyACauseOfTheNodeExcludesTheNode) {
  job_is_known(7);
  (void)result_of(placer.release_and_resubmit(
      see(a_pod().job(7)),
      record,
      {JobId(7), slurm::SlurmNodeName("k001"), "claim in use", writes::Cause::volumes_missing}));
  EXPECT_TRUE(record.avoid.empty());
}

TEST_F(PlacerTest, AJobIsNotReleasedBeforeItsPodIsUnlabelled) {
  job_is_known(7);
  kube_refuses(500);
  (void)result_of(placer.release_and_resubmit(
      see(a_pod().job(7)),
      record,
      {JobId(7), slurm::SlurmNodeName("k001"), "too small", writes::Cause::node_never}));
  EXPECT_FALSE(record.returned);
}

TEST_F(PlacerTest, AnUnlabelledJobIsReturnedAndTheNextOneRequiresAScan) {
  job_is_known(7);
  record.made = OwnJob{JobId(7), "{}"};
  record.write_refused = PodRecord::RefusedWrite{loop.now() - 1min, "no"};
  (void)result_of(placer.release_unlabelled(see(a_pod()), record, {JobId(7), "no"}));
  EXPECT_FALSE(record.made);
  ASSERT_TRUE(record.returned);
  EXPECT_EQ(record.returned->id, JobId(7));
  EXPECT_FALSE(record.write_refused);
  EXPECT_GE(record.scan_required_since, loop.now() - 1min);
  EXPECT_THAT(kube_writes(), IsEmpty());
}

TEST_F(PlacerTest, StartOverRemovesTheLabelAndTheRecordOfTheBind) {
  record.bind_accepted_at = loop.now();
  (void)result_of(placer.start_over(
      see(a_pod().job(7)), record, {"Slurm job 7 has failed", writes::Cause::job_ended}));
  EXPECT_THAT(kube_writes(), ElementsAre(kPatch));
  EXPECT_THAT(last_kube_body(), HasSubstr(fmt::format(R"("{}":null)", workload::kJobIdLabel)));
  EXPECT_FALSE(record.bind_accepted_at);
  EXPECT_EQ(record.failed_jobs_in_a_row, 1);
}

}  // namespace
}  // namespace bridge::scheduling
