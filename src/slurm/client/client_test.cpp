// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/client.h"

#include "slurm/testing/api_path.h"
#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

namespace slurm::inline client {
namespace {

using base::Error;
using base::Kind;
using testing::accounting_path;
using testing::answer;
using testing::api_path;
using ::testing::ElementsAre;
using testing::finish;
using ::testing::HasSubstr;
using testing::sample;
using testing::ScriptedTransport;
using Reply = ScriptedTransport::Reply;

class ClientTest : public ::testing::Test {
 protected:
  // The next answers, in order.
  void will(base::Result<net::http::Response> next) { answers_.push_back(std::move(next)); }

  template <class T>
  T run(net::Task<T> task) {
    return finish(loop_, clock_, std::move(task));
  }

  base::Instant soon() const { return loop_.in(std::chrono::seconds(5)); }
  const net::http::Request& sent(std::size_t n) const { return transport_.calls.at(n).request; }

  base::VirtualClock clock_;
  net::Loop loop_{clock_, 1};
  std::deque<base::Result<net::http::Response>> answers_;
  ScriptedTransport transport_{loop_, [this](const net::http::Request&) {
                                 if (answers_.empty()) {
                                   return Reply{Error(Kind::internal, "nothing scripted")};
                                 }
                                 Reply reply{std::move(answers_.front())};
                                 answers_.pop_front();
                                 return reply;
                               }};
  TokenSource tokens_ = TokenSource::fixed(base::Secret("the-token"));
  Client client_{loop_, transport_, tokens_};
};

TEST_F(ClientTest, SubmitSendsTheJobOnceAndReturnsItsId) {
  will(sample("submit-external"));
  JobRequest request;
  request.name = "pod-a";
  const auto id = run(client_.submit(request, soon()));
  ASSERT_TRUE(id.ok()) << id.error().to_string();
  EXPECT_EQ(*id, JobId(1));
  ASSERT_EQ(transport_.calls.size(), 1U);
  EXPECT_EQ(sent(0).method, "POST");
  EXPECT_EQ(sent(0).target, api_path("/job/submit"));
  EXPECT_EQ(sent(0).body, submit_body(request));
  EXPECT_EQ(sent(0).header("X-SLURM-USER-TOKEN"), "the-token");
  EXPECT_EQ(sent(0).header("Content-Type"), "application/json");
  EXPECT_FALSE(sent(0).repeatable);
}

TEST_F(ClientTest, ACallWhoseTimeIsOverIsNotSent) {
  const auto cancelled = run(client_.cancel(JobId(1), loop_.now()));
  ASSERT_FALSE(cancelled.ok());
  EXPECT_TRUE(cancelled.error().is(Kind::unreachable)) << cancelled.error().to_string();
  EXPECT_TRUE(transport_.calls.empty());
}

TEST_F(ClientTest, SubmitCancelsAJobThatWasMadeInSpiteOfErrors) {
  will(sample("err-unknown-flag"));
  will(sample("cancel-default"));
  const auto id = run(client_.submit({}, soon()));
  ASSERT_FALSE(id.ok());
  EXPECT_TRUE(id.error().is(Kind::refused));
  EXPECT_THAT(id.error().message(), HasSubstr("Unknown flag"));
  ASSERT_EQ(transport_.calls.size(), 2U);
  EXPECT_EQ(sent(1).method, "DELETE");
  EXPECT_EQ(sent(1).target, api_path("/job/18"));
}

TEST_F(ClientTest, SubmitIsLostIfSuchAJobCannotBeCancelled) {
  will(sample("err-unknown-flag"));
  will(Error(Kind::unreachable, "connection refused"));
  const auto id = run(client_.submit({}, soon()));
  EXPECT_TRUE(id.error().is(Kind::lost));
  EXPECT_THAT(id.error().message(), HasSubstr("job 18"));
}

TEST_F(ClientTest, SubmitPassesTheTransportsErrorsOnAndNonsenseIsLost) {
  for (const auto& [had, want] : {std::pair{Kind::unreachable, Kind::unreachable},
                                  std::pair{Kind::lost, Kind::lost},
                                  std::pair{Kind::cancelled, Kind::cancelled},
                                  std::pair{Kind::protocol, Kind::lost}}) {
    will(Error(had, "x"));
    EXPECT_EQ(run(client_.submit({}, soon())).error().kind(), want);
  }
  EXPECT_EQ(transport_.calls.size(), 4U);  // never sent twice
}

TEST_F(ClientTest, StatesOfNothingIsNoCall) {
  const auto states = run(client_.states({}, soon()));
  ASSERT_TRUE(states.ok());
  EXPECT_TRUE(states->empty());
  EXPECT_TRUE(transport_.calls.empty());
}

TEST_F(ClientTest, StatesRepeatsTheParameterAndKeepsOnlyRequestedIds) {
  will(sample("jobs-state-asked-array"));  // the answer also has the array's other tasks
  const auto states = run(client_.states({JobId(4), JobId(777), JobId(4)}, soon()));
  ASSERT_TRUE(states.ok());
  EXPECT_EQ(sent(0).target, api_path("/jobs/state/?job_id=4&job_id=777"));
  const JobStatus want{.id = JobId(4), .state = JobState::pending, .array_task = true};
  EXPECT_THAT(*states, ElementsAre(want));
}

TEST_F(ClientTest, StatesOfThousandsAreOneCallThatSlurmrestdAccepts) {
  std::vector<JobId> ids;
  for (std::uint32_t n = 0; n < kMostIdsPerCall; ++n) ids.emplace_back(4'000'000'000U + n);
  will(sample("jobs-state-unknown"));
  EXPECT_TRUE(run(client_.states(ids, soon())).ok());
  ASSERT_EQ(transport_.calls.size(), 1U);
  EXPECT_LT(sent(0).target.size(), 64'000U);
}

TEST_F(ClientTest, StatesIsAnErrorIfSlurmCannotTell) {
  will(sample("stopped-jobs-state"));
  EXPECT_TRUE(run(client_.states({JobId(1)}, soon())).error().is(Kind::unavailable));
}

TEST_F(ClientTest, AllStatesAsksWithoutIds) {
  will(sample("jobs-state-all"));
  EXPECT_EQ(run(client_.all_states(soon()))->size(), 9U);
  EXPECT_EQ(sent(0).target, api_path("/jobs/state/"));
}

TEST_F(ClientTest, JobAsksWithoutTheDetail) {
  will(sample("job-get-running"));
  EXPECT_EQ(run(client_.job(JobId(1), soon()))->name, "pod-a");
  EXPECT_EQ(sent(0).target, api_path("/job/1?flags=ALL"));
  will(sample("get-unknown"));
  EXPECT_TRUE(run(client_.job(JobId(9), soon())).error().is(Kind::not_found));
}

TEST_F(ClientTest, RunningJobsReadsEachJobThatMayOccupyNodes) {
  will(answer(200,
              R"({"jobs":[{"job_id":"3","state":["COMPLETED"]},{"job_id":"9","state":["PENDING"]},)"
              R"({"job_id":"7_0","state":["RUNNING"]},{"job_id":"1","state":["RUNNING"]},)"
              R"({"job_id":"8","state":["COMPLETED","COMPLETING"]}],"errors":[]})"));
  will(sample("job-get-running"));
  will(sample("get-unknown"));  // job 7 ended meanwhile
  will(answer(200,
              R"({"jobs":[{"job_id":8,"job_state":["COMPLETED"],"nodes":"k001",)"
              R"("start_time":{"set":true,"number":5}}],"errors":[]})"));
  const auto jobs = run(client_.running_jobs(soon()));
  ASSERT_TRUE(jobs.ok()) << jobs.error().to_string();
  ASSERT_EQ(jobs->size(), 1U);
  EXPECT_EQ(jobs->front().id, JobId(1));
  ASSERT_EQ(transport_.calls.size(), 4U);
  EXPECT_EQ(sent(0).target, api_path("/jobs/state/"));
  EXPECT_EQ(sent(1).target, api_path("/job/1?flags=ALL"));
  EXPECT_EQ(sent(2).target, api_path("/job/7?flags=ALL"));
  EXPECT_EQ(sent(3).target, api_path("/job/8?flags=ALL"));
}

TEST_F(ClientTest, RunningJobsIsAnErrorIfOneJobCannotBeRead) {
  will(answer(200, R"({"jobs":[{"job_id":"1","state":["RUNNING"]}],"errors":[]})"));
  will(Error(Kind::lost, "connection reset"));
  EXPECT_TRUE(run(client_.running_jobs(soon())).error().is(Kind::lost));
}

TEST_F(ClientTest, CancelReportsTheFailureInTheStatusList) {
  will(sample("cancel-again"));
  EXPECT_TRUE(run(client_.cancel(JobId(4), soon())).ok());
  will(sample("cancel-unknown"));
  const auto unknown = run(client_.cancel(JobId(999999), soon()));
  EXPECT_TRUE(unknown.error().is(Kind::not_found));
  EXPECT_THAT(unknown.error().message(), HasSubstr("cancel job 999999"));
  EXPECT_TRUE(sent(1).repeatable);
}

TEST_F(ClientTest, UpdateSendsWhatChangesAndMayBeRepeated) {
  will(sample("job-update"));
  JobUpdate update;
  update.comment = "x";
  EXPECT_TRUE(run(client_.update(JobId(7), update, soon())).ok());
  EXPECT_EQ(sent(0).method, "POST");
  EXPECT_EQ(sent(0).target, api_path("/job/7"));
  EXPECT_EQ(sent(0).body, job_update_body(update));
  EXPECT_TRUE(sent(0).repeatable);

  will(sample("err-update-unknown-job"));
  const auto unknown = run(client_.update(JobId(99999), update, soon()));
  EXPECT_TRUE(unknown.error().is(Kind::not_found));
  EXPECT_THAT(unknown.error().message(), HasSubstr("update job 99999"));
}

TEST_F(ClientTest, NothingToUpdateIsNoCall) {
  EXPECT_TRUE(run(client_.update(JobId(7), {}, soon())).ok());
  EXPECT_TRUE(transport_.calls.empty());
}

TEST_F(ClientTest, ANodeIsDrainedByItsName) {
  will(sample("node-drain"));
  EXPECT_TRUE(run(client_.change_node(SlurmNodeName("k010"), Drain{"cordoned"}, soon())).ok());
  EXPECT_EQ(sent(0).method, "POST");
  EXPECT_EQ(sent(0).target, api_path("/node/k010"));
  EXPECT_THAT(sent(0).body, HasSubstr("DRAIN"));
  EXPECT_TRUE(sent(0).repeatable);
  EXPECT_TRUE(
      run(client_.change_node(SlurmNodeName("a"), Drain{}, soon())).error().is(Kind::invalid));
  EXPECT_EQ(transport_.calls.size(), 1U);
  will(sample("err-node-update-unknown"));
  const auto gone = run(client_.change_node(SlurmNodeName("a/b"), Undrain{}, soon()));
  EXPECT_TRUE(gone.error().is(Kind::not_found));
  EXPECT_EQ(sent(1).target, api_path("/node/a%2Fb"));
}

TEST_F(ClientTest, ANodeIsMadeOnceAndDeleted) {
  NewNode node;
  node.name = SlurmNodeName("dyn1");
  will(sample("new-node"));
  EXPECT_TRUE(run(client_.create_node(node, soon())).ok());
  EXPECT_EQ(sent(0).target, api_path("/new/node/"));
  EXPECT_FALSE(sent(0).repeatable);
  will(sample("delete-node"));
  EXPECT_TRUE(run(client_.delete_node(node.name, soon())).ok());
  EXPECT_EQ(sent(1).method, "DELETE");
  EXPECT_EQ(sent(1).target, api_path("/node/dyn1"));

  Client old(loop_, transport_, tokens_, ApiVersion::v0_0_43);
  EXPECT_TRUE(run(old.create_node(node, soon())).error().is(Kind::refused));
  EXPECT_EQ(transport_.calls.size(), 2U);
}

TEST_F(ClientTest, PartitionsAndAssociationsAreRequested) {
  will(sample("partitions"));
  EXPECT_EQ(run(client_.partitions(soon()))->size(), 8U);
  EXPECT_EQ(sent(0).target, api_path("/partitions/"));
  will(sample("associations"));
  EXPECT_EQ(run(client_.associations("a&b", soon()))->size(), 2U);
  EXPECT_EQ(sent(1).target, accounting_path("/associations/?user=a%26b"));
}

TEST_F(ClientTest, ReconfigureIsOneCallThatMayBeRepeated) {
  will(sample("reconfigure"));
  EXPECT_TRUE(run(client_.reconfigure(soon())).ok());
  EXPECT_EQ(sent(0).method, "GET");
  EXPECT_EQ(sent(0).target, api_path("/reconfigure/"));
  EXPECT_TRUE(sent(0).repeatable);
  will(sample("err-node-update-as-user"));
  EXPECT_THAT(run(client_.reconfigure(soon())).error().message(), HasSubstr("reconfigure Slurm"));
}

TEST_F(ClientTest, ABodyWithInvalidUtf8IsRepairedAndRead) {
  net::http::Response broken = sample("job-get-running");
  const std::size_t at = broken.body.find("pod-a");
  ASSERT_NE(at, std::string::npos);
  broken.body.replace(at, 5, "p\xff\xc3-a");
  will(broken);
  const auto job = run(client_.job(JobId(1), soon()));
  ASSERT_TRUE(job.ok()) << job.error().to_string();
  EXPECT_EQ(job->name, "p\xEF\xBF\xBD\xEF\xBF\xBD-a");

  net::http::Response refused = sample("err-bad-account");
  refused.body.replace(refused.body.find("Invalid account"), 7, "Inv\xe9 lid");
  will(refused);
  const auto id = run(client_.submit({}, soon()));
  EXPECT_EQ(id.error().code(), 2045);
  EXPECT_THAT(id.error().message(), HasSubstr("\xEF\xBF\xBD"));
}

TEST_F(ClientTest, NodesCanBeRequestedSinceATime) {
  will(sample("nodes"));
  const auto list = run(client_.nodes(soon()));
  ASSERT_TRUE(list.ok());
  will(sample("nodes-update_time-now"));
  const auto none = run(client_.nodes_since(list->last_update, soon()));
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->has_value());
  EXPECT_THAT(sent(1).target, HasSubstr("/nodes/?update_time=1"));
}

// A server that serves only these versions. The answers were recorded from real servers.
ScriptedTransport::Script serving(std::set<std::string> versions) {
  return [versions = std::move(versions)](const net::http::Request& request) {
    const std::string& path = request.target;
    const auto served = [&](const std::string& v) { return path.contains("/" + v + "/"); };
    if (!std::ranges::any_of(versions, served)) return Reply{sample("err-future-api-version")};
    if (path.contains("/job/")) return Reply{sample("job-running-v43")};
    return Reply{sample("ping")};
  };
}

TEST_F(ClientTest, DiscoverSelectsTheNewestServedVersionAndUsesIt) {
  const struct {
    std::set<std::string> served;
    ApiVersion want;
  } kRows[] = {
      {{"v0.0.42", "v0.0.43"}, ApiVersion::v0_0_43},
      {{"v0.0.42", "v0.0.43", "v0.0.44"}, ApiVersion::v0_0_44},
      {{"v0.0.43", "v0.0.44", "v0.0.45"}, ApiVersion::v0_0_45},
      {{"v0.0.45", "v0.0.46"}, ApiVersion::v0_0_45},
  };
  for (const auto& row : kRows) {
    ScriptedTransport server(loop_, serving(row.served));
    Client client(loop_, server, tokens_);
    const auto version = run(client.discover(soon()));
    ASSERT_TRUE(version.ok()) << version.error().to_string();
    EXPECT_EQ(*version, row.want);
    EXPECT_EQ(client.version(), row.want);
    const auto job = run(client.job(JobId(1), soon()));
    ASSERT_TRUE(job.ok()) << job.error().to_string();
    EXPECT_EQ(job->nodes.size(), 2U);
    EXPECT_EQ(server.calls.back().request.target, api_path("/job/1?flags=ALL", row.want));
  }
}

TEST_F(ClientTest, DiscoverReportsAServerThatIsTooOldOrTooNew) {
  for (const char* served : {"v0.0.42", "v0.0.40", "v0.0.46"}) {
    ScriptedTransport server(loop_, serving({served}));
    Client client(loop_, server, tokens_);
    const auto version = run(client.discover(soon()));
    ASSERT_FALSE(version.ok());
    EXPECT_TRUE(version.error().is(Kind::refused));
    EXPECT_THAT(version.error().message(), HasSubstr("v0.0.43 to v0.0.45"));
    EXPECT_THAT(version.error().message(), HasSubstr("Unable to find requested URL"));
  }
}

TEST_F(ClientTest, DiscoverNamesTheReleaseThatIsNeededIfTheServerIsTooOld) {
  for (int n = 0; n < 3; ++n) will(sample("err-future-api-version"));
  const auto version = run(client_.discover(soon()));
  EXPECT_TRUE(version.error().is(Kind::refused));
  EXPECT_THAT(version.error().message(), HasSubstr("25.05"));
  EXPECT_EQ(client_.version(), kNewestApi);
}

TEST_F(ClientTest, DiscoverDoesNotTakeAnOutageForAnOldServer) {
  will(sample("err-no-auth-headers"));
  EXPECT_TRUE(run(client_.discover(soon())).error().is(Kind::unauthorized));
  EXPECT_EQ(transport_.calls.size(), 1U);
}

TEST_F(ClientTest, WithoutATokenNothingIsSent) {
  TokenSource none = TokenSource::from_file("/nonexistent/token", clock_);
  Client client(loop_, transport_, none);
  const auto pong = run(client.ping(soon()));
  EXPECT_TRUE(pong.error().is(Kind::unauthorized));
  EXPECT_THAT(pong.error().message(), HasSubstr("/nonexistent/token"));
  EXPECT_TRUE(transport_.calls.empty());
}

}  // namespace
}  // namespace slurm::inline client
