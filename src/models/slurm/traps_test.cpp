// SPDX-License-Identifier: Apache-2.0
#include "models/testing/slurm.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

// Surprising behaviour of the real Slurm that the model reproduces for the simulation.
namespace models::slurm {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;
using testing::Reply;

TEST(SlurmTraps, AnUnknownFlagIsAnErrorAndTheJobIsMadeNevertheless) {
  Cluster cluster;
  const Reply reply = cluster.submit(R"({"flags":["EXTERNAL_JOB","NOPE"]})");
  EXPECT_EQ(reply.status, 500);
  EXPECT_EQ(reply.error(), 9207);
  EXPECT_EQ(reply.number({"job_id"}), 1);
  EXPECT_TRUE(cluster.job(1).pending());
}

TEST(SlurmTraps, AWrongTypeIs200WithoutAJob) {
  Cluster cluster;
  const Reply reply = cluster.submit(R"({"tasks":"abc"})");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.get({"job_id"}), json::Value());
  EXPECT_EQ(reply.get({"errors"}), json::Value(json::Array{}));
  EXPECT_TRUE(cluster.slurm.jobs().empty());
}

TEST(SlurmTraps, AJobThatNoNodeCanHoldIsRefusedButLeavesAFailedRecordWithItsComment) {
  Cluster cluster;
  EXPECT_EQ(cluster.submit(R"({"cpus_per_task":64,"admin_comment":"mine"})").error(), 2014);
  EXPECT_EQ(cluster.job(1).state, "FAILED");
  EXPECT_EQ(cluster.job(1).reason, "BadConstraints");
  EXPECT_EQ(cluster.ask("GET", "/job/1").string_at({"jobs", "0", "admin_comment"}), "mine");
  EXPECT_EQ(cluster.id_of("{}"), 2U);
}

TEST(SlurmTraps, MoreNodesThanThePartitionHasIsTakenWithAWarningAndWaitsForEver) {
  Cluster cluster;
  const Reply reply = cluster.submit(R"({"minimum_nodes":9,"maximum_nodes":9,"tasks":9})");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.string_at({"warnings", "1", "description"}),
            "Requested partition configuration not available now");
  cluster.advance(1h);
  EXPECT_EQ(cluster.job(1).reason, "PartitionNodeLimit");
}

TEST(SlurmTraps, ATimeLimitOverThePartitionsIsTakenAndWaitsForEver) {
  Cluster cluster;
  EXPECT_EQ(cluster.submit(R"({"partition":"short","time_limit":100})").status, 200);
  cluster.advance(1h);
  EXPECT_EQ(cluster.job(1).reason, "PartitionTimeLimit");
}

TEST(SlurmTraps, WithoutMemoryAJobTakesTheWholeNodes) {
  Cluster cluster;
  const auto first = cluster.id_of(R"({"memory_per_node":null,"required_nodes":["k001"]})");
  const auto second = cluster.id_of(R"({"memory_per_node":1,"required_nodes":["k001"]})");
  cluster.settle();
  EXPECT_EQ(cluster.job(first).state, "RUNNING");
  EXPECT_EQ(cluster.job(first).allocation[0].memory_mb, 131072U);
  EXPECT_EQ(cluster.job(second).state, "PENDING");
}

TEST(SlurmTraps, CancellingIsAlways200AndTheStatusListHasTheFailure) {
  Cluster cluster;
  cluster.submit();
  EXPECT_EQ(cluster.ask("DELETE", "/job/1").get({"status"}), json::Value(json::Array{}));
  const Reply again = cluster.ask("DELETE", "/job/1");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.number({"status", "0", "error", "code"}), 2021);
  const Reply unknown = cluster.ask("DELETE", "/job/9");
  EXPECT_EQ(unknown.status, 200);
  EXPECT_EQ(unknown.number({"status", "0", "error", "code"}), 2017);
}

TEST(SlurmTraps, AnUnknownIdIsAbsentFromTheStates) {
  Cluster cluster;
  cluster.submit();
  const Reply reply = cluster.ask("GET", "/jobs/state/?job_id=7&job_id=1");
  EXPECT_EQ(reply.get({"jobs"}).as_array()->size(), 1U);
  EXPECT_EQ(reply.string_at({"jobs", "0", "job_id"}), "1");
}

TEST(SlurmTraps, AnUnknownNodeIs200WithAnErrorOfNumberZero) {
  Cluster cluster;
  const Reply reply = cluster.ask("GET", "/node/nosuch");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.error(), 0);
}

TEST(SlurmTraps, WithoutATokenEverythingIs401Text) {
  Cluster cluster;
  for (const std::string& path : {std::string("/slurm/").append(kNewestApi).append("/ping/"),
                                  std::string("/slurm/v9/nosuch")}) {
    const auto response = cluster.slurm.handle(net::http::Request("GET", path));
    EXPECT_EQ(response.status, 401);
    EXPECT_EQ(response.body, "Authentication failure");
  }
}

TEST(SlurmTraps, AVersionThatIsNotOfferedIs404Text) {
  SlurmOptions options = testing::four_nodes();
  options.api_versions = {std::string(kApi43)};
  Cluster cluster(options);
  EXPECT_EQ(cluster.ask("GET", "/ping/").status, 404);
  EXPECT_EQ(
      cluster.ask_version(std::string(kApi43), "slurm", net::http::Request("GET", "/ping/")).status,
      200);
}

TEST(SlurmTraps, NodesAre304OnceNothingChangedForASecond) {
  Cluster cluster;
  cluster.advance(5s);
  const auto last_update = cluster.ask("GET", "/nodes/").number({"last_update", "number"});
  const std::string since = "/nodes/?update_time=" + std::to_string(last_update);
  EXPECT_EQ(cluster.ask("GET", since).status, 304);
  cluster.slurm.drain("k001", "x");
  EXPECT_EQ(cluster.ask("GET", since).status, 200);
}

TEST(SlurmTraps, AnUndrainClearsTheReasonAndARestartDoesNot) {
  Cluster cluster;
  const auto reason = [&] { return cluster.slurm.nodes().at("k001").reason; };
  for (const char* end : {"UNDRAIN", "RESUME"}) {
    cluster.ask("POST", "/node/k001", R"({"state":["DRAIN"],"reason":"fan"})");
    EXPECT_EQ(reason(), "fan");
    cluster.ask("POST", "/node/k001", fmt::format(R"({{"state":["{}"]}})", end));
    EXPECT_EQ(reason(), "") << end;
  }
  cluster.ask("POST", "/node/k001", R"({"state":["DRAIN"],"reason":"fan"})");
  cluster.slurm.restart();
  EXPECT_FALSE(cluster.slurm.nodes().at("k001").drained);
  EXPECT_EQ(reason(), "fan");
}

TEST(SlurmTraps, WithoutATopologyFileNoNodeGetsAPlaceInIt) {
  Cluster cluster;
  EXPECT_EQ(cluster.ask("POST", "/node/k001", R"({"topology_str":"topo:s1"})").error(), 2178);
  EXPECT_EQ(cluster.ask("POST", "/node/k001", R"({"topology_str":""})").status, 200);
}

TEST(SlurmTraps, JobsWithoutChangesAreAnEmptyListWithoutATime) {
  Cluster cluster;
  cluster.submit();
  cluster.advance(5s);
  const Reply reply = cluster.ask("GET", "/jobs/?update_time=1700000005");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.get({"jobs"}), json::Value(json::Array{}));
  EXPECT_EQ(reply.number({"last_update", "number"}), 0);
}

TEST(SlurmTraps, NoMoreJobsThanMaxJobCount) {
  SlurmOptions options = testing::four_nodes();
  options.max_jobs = 2;
  Cluster cluster(options);
  EXPECT_EQ(cluster.submit().status, 200);
  EXPECT_EQ(cluster.submit().status, 200);
  const Reply third = cluster.submit();
  EXPECT_EQ(third.status, 422);
  EXPECT_EQ(third.error(), 2007);
  EXPECT_EQ(third.string_at({"errors", "0", "error"}), "MaxJobCount limit reached");
  EXPECT_EQ(cluster.slurm.jobs().size(), 2U);
}

TEST(SlurmTraps, AnIdIsTheSameTextThatTheJobWasGivenBack) {
  Cluster cluster;
  cluster.submit(R"({"admin_comment":"{\"pod\":\"a/b\"}\n\u00e9"})");
  EXPECT_EQ(cluster.ask("GET", "/job/1?flags=ALL").string_at({"jobs", "0", "admin_comment"}),
            "{\"pod\":\"a/b\"}\n\u00e9");
}

// Observed with 26.05.5 in an orderly restart.
TEST(SlurmTraps, AJobThatRequiresADeletedNodeFailsAtTheNextStartAndOneThatLeavesItOutDoesNot) {
  Cluster cluster;
  const auto requires_it = cluster.id_of(R"({"required_nodes":["k003"],"hold":true})");
  const auto leaves_it_out = cluster.id_of(R"({"excluded_nodes":["k003"]})");
  const auto waits_without_it = cluster.id_of(R"({"excluded_nodes":["k003"],"hold":true})");
  cluster.advance(5s);
  ASSERT_EQ(cluster.job(leaves_it_out).state, "RUNNING");
  ASSERT_EQ(cluster.ask("DELETE", "/node/k003").status, 200);
  EXPECT_TRUE(cluster.job(requires_it).pending()) << "nothing changes yet";
  cluster.slurm.restart();
  EXPECT_EQ(cluster.job(requires_it).state, "NODE_FAIL");
  EXPECT_EQ(cluster.job(leaves_it_out).state, "RUNNING");
  EXPECT_TRUE(cluster.job(waits_without_it).pending());
}

}  // namespace
}  // namespace models::slurm
