// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/job_answer.h"

#include "slurm/testing/sample.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline api {
namespace {

using base::Kind;
using testing::answer;
using ::testing::ElementsAre;
using testing::sample;

JobStatus status(std::uint32_t id, JobState state, bool array_task = false) {
  return {.id = JobId(id), .state = state, .array_task = array_task};
}

TEST(JobStates, ReadsPlainHetAndArrayIds) {
  // A task of an array has the id of its own record first ("7_0"); pending tasks share the array's
  // id.
  const auto states = job_states(sample("jobs-state-all"));
  ASSERT_TRUE(states.ok()) << states.error().to_string();
  EXPECT_THAT(*states,
              ElementsAre(status(1, JobState::running),
                          status(2, JobState::cancelled),
                          status(3, JobState::running),
                          status(7, JobState::running, true),
                          status(5, JobState::running),
                          status(6, JobState::running),
                          status(8, JobState::running, true),
                          status(4, JobState::pending, true),
                          status(4, JobState::pending, true)));
}

TEST(JobStates, AConfiguringJobRuns) {
  EXPECT_THAT(*job_states(sample("jobs-state-configuring")),
              ElementsAre(status(10, JobState::running)));
}

TEST(JobStates, AnUnknownIdIsAbsentFromA200) {
  const auto states = job_states(sample("jobs-state-unknown"));
  ASSERT_TRUE(states.ok());
  EXPECT_TRUE(states->empty());
}

TEST(JobStates, CompletingIsNoted) {
  const auto states = job_states(
      answer(200, R"({"jobs":[{"job_id":"9","state":["CANCELLED","COMPLETING"]}],"errors":[]})"));
  ASSERT_TRUE(states.ok());
  EXPECT_TRUE(states->front().completing);
  EXPECT_EQ(states->front().state, JobState::cancelled);
}

TEST(JobStates, AnErrorIsNeverAnEmptyList) {
  for (const auto& one : {sample("stopped-jobs-state"),
                          sample("down-jobs-state"),
                          sample("err-expired-token"),
                          sample("err-no-auth-headers"),
                          answer(200, ""),
                          answer(200, "{}"),
                          answer(200, R"({"jobs":null,"errors":[],"warnings":[]})"),
                          answer(200, R"({"errors":[],"warnings":[]})"),
                          answer(200, R"({"jobs":[{"job_id":"x","state":[]}],"errors":[]})"),
                          answer(200, R"({"jobs":[{"job_id":7,"state":[]}],"errors":[]})"),
                          answer(502, "Bad Gateway"),
                          answer(404, "not here")}) {
    const auto states = job_states(one);
    ASSERT_FALSE(states.ok()) << one.body;
    EXPECT_FALSE(states.error().is(Kind::not_found)) << one.body;
  }
  EXPECT_TRUE(job_states(sample("stopped-jobs-state")).error().is(Kind::unavailable));
  EXPECT_TRUE(job_states(sample("err-expired-token")).error().is(Kind::unauthorized));
}

TEST(Job, ReadsARunningOne) {
  const auto running = job(sample("job-get-running"), JobId(1));
  ASSERT_TRUE(running.ok()) << running.error().to_string();
  EXPECT_EQ(running->id, JobId(1));
  EXPECT_EQ(running->state, JobState::running);
  EXPECT_TRUE(running->external);
  EXPECT_FALSE(running->configuring);
  EXPECT_EQ(running->name, "pod-a");
  EXPECT_EQ(running->partition, "ext");
  EXPECT_EQ(running->account, "team1");
  EXPECT_EQ(running->qos, "normal");
  EXPECT_EQ(running->user, "alice");
  EXPECT_EQ(running->comment, "c1");
  EXPECT_EQ(running->state_reason, "None");
  EXPECT_THAT(running->nodes, ElementsAre(SlurmNodeName("k001")));
  EXPECT_EQ(running->submit_time, base::WallTime(std::chrono::seconds(1794767769)));
  EXPECT_EQ(running->start_time, base::WallTime(std::chrono::seconds(1794767769)));
  EXPECT_EQ(running->end_time, base::WallTime(std::chrono::seconds(1794771369)));
  EXPECT_EQ(running->preempt_time, std::nullopt);
  EXPECT_EQ(running->priority, 4294901759U);
  EXPECT_THAT(running->exit_code.status, ElementsAre("SUCCESS"));
}

TEST(Job, ExpandsItsNodes) {
  const auto four = job(sample("job-get-4nodes"), JobId(3));
  ASSERT_TRUE(four.ok()) << four.error().to_string();
  EXPECT_THAT(four->nodes,
              ElementsAre(SlurmNodeName("k001"),
                          SlurmNodeName("k002"),
                          SlurmNodeName("k003"),
                          SlurmNodeName("k004")));
}

TEST(Job, HasItsRequiredAndExcludedNodes) {
  const auto waiting = job(
      testing::answer(200, R"({"jobs":[{"job_id":7,"job_state":["PENDING"],"required_nodes":"k005",
      "excluded_nodes":"k[001-002],x"}],"errors":[]})"),
      JobId(7));
  ASSERT_TRUE(waiting.ok()) << waiting.error().to_string();
  EXPECT_THAT(waiting->required_nodes, ElementsAre(SlurmNodeName("k005")));
  EXPECT_THAT(waiting->excluded_nodes,
              ElementsAre(SlurmNodeName("k001"), SlurmNodeName("k002"), SlurmNodeName("x")));
}

TEST(Job, HasItsReasonEvenIfItsNodeListsAreMalformed) {
  const auto waiting = job(
      testing::answer(200, R"({"jobs":[{"job_id":7,"job_state":["PENDING"],"required_nodes":"k005",
      "excluded_nodes":"k[1-","state_reason":"Priority"}],"errors":[]})"),
      JobId(7));
  ASSERT_TRUE(waiting.ok()) << waiting.error().to_string();
  EXPECT_EQ(waiting->state_reason, "Priority");
  EXPECT_FALSE(waiting->node_lists_readable);
  EXPECT_TRUE(waiting->required_nodes.empty() && waiting->excluded_nodes.empty());
}

TEST(Job, APendingOneHasAReasonAndNoNodes) {
  const auto pending = job(sample("job-pending"), JobId(11));
  ASSERT_TRUE(pending.ok()) << pending.error().to_string();
  EXPECT_EQ(pending->state, JobState::pending);
  EXPECT_EQ(pending->state_reason, "JobHeldUser");
  EXPECT_TRUE(pending->nodes.empty());
  EXPECT_EQ(pending->start_time, std::nullopt);
}

TEST(Job, TheRightComponentOfAHetJobIsRead) {
  EXPECT_EQ(job(sample("job-het"), JobId(6))->name, "h1");
  EXPECT_EQ(job_identity(sample("job-het"), JobId(5))->id, JobId(5));
}

TEST(Job, ATimeBeyondTheClockIsAbsent) {
  const auto read = job(
      testing::answer(200, R"({"jobs":[{"job_id":1,"job_state":["RUNNING"],"start_time":{"set":true,
      "number":1},"end_time":{"set":true,"number":9300000000}}],"errors":[]})"),
      JobId(1));
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->start_time);
  EXPECT_FALSE(read->end_time);
}

TEST(Job, IsNotFoundOnlyIfSlurmStatesIt) {
  EXPECT_TRUE(job(sample("get-unknown"), JobId(999999)).error().is(Kind::not_found));
  EXPECT_TRUE(job_identity(sample("get-unknown"), JobId(999999)).error().is(Kind::not_found));
  for (const auto& one : {sample("err-future-api-version"),
                          answer(404, "no such page"),
                          answer(404, R"({"errors":[{"error_number":-1}],"warnings":[]})"),
                          answer(200, R"({"jobs":[],"errors":[],"warnings":[]})"),
                          sample("job-get-running")}) {
    const auto wrong = job(one, JobId(999999));
    ASSERT_FALSE(wrong.ok());
    EXPECT_FALSE(wrong.error().is(Kind::not_found)) << one.body;
  }
}

TEST(JobIdentity, IsReadableWhereTheRestIsNot) {
  const auto odd = answer(200,
                          R"({"jobs":[{"job_id":7,"job_state":["RUNNING"],"admin_comment":"mine",
                              "nodes":"k[1-","priority":"high"}],"errors":[]})");
  EXPECT_FALSE(job(odd, JobId(7)).ok());
  const auto identity = job_identity(odd, JobId(7));
  ASSERT_TRUE(identity.ok()) << identity.error().to_string();
  EXPECT_EQ(identity->admin_comment, "mine");
  EXPECT_EQ(identity->state, JobState::running);
}

TEST(RunningJob, HasItsNodesAndTimes) {
  const auto job = running_job(sample("job-get-running"), JobId(1));
  ASSERT_TRUE(job.ok()) << job.error().to_string();
  const RunningJob want{.id = JobId(1),
                        .nodes = {SlurmNodeName("k001")},
                        .started = base::WallTime(std::chrono::seconds(1'794'767'769)),
                        .ends = base::WallTime(std::chrono::seconds(1'794'771'369))};
  EXPECT_EQ(*job, want);
  EXPECT_EQ((*running_job(sample("job-get-4nodes"), JobId(3)))->nodes.size(), 4U);
}

TEST(RunningJob, IsEmptyForAJobThatOccupiesNoNodes) {
  EXPECT_EQ(*running_job(sample("get-unknown"), JobId(9)), std::nullopt);
  const struct {
    const char* states;
    bool occupies;
  } kRows[] = {
      {R"("RUNNING")", true},
      {R"("RUNNING","CONFIGURING")", true},
      {R"("SUSPENDED")", true},
      {R"("COMPLETED","COMPLETING")", true},
      {R"("NODE_FAIL","COMPLETING")", true},
      {R"("PENDING")", false},
      {R"("COMPLETED")", false},
  };
  for (const auto& row : kRows) {
    const auto job = running_job(
        answer(200,
               fmt::format(R"({{"jobs":[{{"job_id":3,"job_state":[{}],"nodes":"w-[0-1]",)"
                           R"("start_time":{{"set":true,"infinite":false,"number":7}},)"
                           R"("end_time":{{"set":true,"infinite":true,"number":0}}}}],)"
                           R"("errors":[]}})",
                           row.states)),
        JobId(3));
    ASSERT_TRUE(job.ok()) << job.error().to_string();
    EXPECT_EQ(job->has_value(), row.occupies) << row.states;
    if (row.occupies) EXPECT_EQ((*job)->ends, std::nullopt);
  }
}

TEST(RunningJob, IsAnErrorIfItsNodesCannotBeRead) {
  EXPECT_FALSE(running_job(sample("stopped-jobs-state"), JobId(1)).ok());
  EXPECT_FALSE(running_job(answer(200,
                                  R"({"jobs":[{"job_id":3,"job_state":["RUNNING"],"nodes":"w-[0",)"
                                  R"("start_time":{"set":true,"number":7}}],"errors":[]})"),
                           JobId(3))
                   .ok());
}

}  // namespace
}  // namespace slurm::inline api
