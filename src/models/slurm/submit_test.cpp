// SPDX-License-Identifier: Apache-2.0
#include "models/testing/slurm.h"

#include <gtest/gtest.h>

namespace models::slurm {
namespace {

using testing::Cluster;
using testing::Reply;

TEST(SlurmSubmit, AJobThatFitsGetsAnIdAndRuns) {
  Cluster cluster;
  const Reply reply = cluster.submit();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.number({"job_id"}), 1);
  EXPECT_EQ(cluster.job(1).state, "PENDING");
  cluster.settle();
  EXPECT_EQ(cluster.job(1).state, "RUNNING");
  EXPECT_EQ(cluster.job(1).nodes, std::vector<std::string>{"k001"});
}

struct Row {
  std::string why;
  std::string members;
  int status = 422;
  int number = 0;
};

const Row kRefused[] = {
    {"unknown partition", R"({"partition":"nosuch"})", 422, 2000},
    {"unknown account", R"({"account":"nosuch"})", 422, 2045},
    {"unknown QOS", R"({"qos":"nosuch"})", 422, 2066},
    {"unknown node to exclude", R"({"excluded_nodes":["nosuch"]})", 422, 2018},
    {"unknown node to require", R"({"required_nodes":["nosuch"]})", 422, 2018},
    {"a node required and excluded",
     R"({"required_nodes":["k001"],"excluded_nodes":["k001"]})",
     422,
     2018},
    {"too many CPUs for any node", R"({"cpus_per_task":64})", 422, 2014},
    {"too much memory for any node", R"({"memory_per_node":10000000})", 422, 2014},
    {"too many GPUs for any node", R"({"tres_per_node":"gres/gpu:99"})", 422, 2014},
    {"no such type of GPU", R"({"tres_per_node":"gres/gpu:h100:1"})", 422, 2014},
    {"no such kind of gres", R"({"tres_per_node":"gres/foo:1"})", 422, 2072},
    {"no TRES", R"({"tres_per_node":"gpu:1"})", 422, 2115},
    {"unknown feature", R"({"constraints":"nosuch"})", 422, 2029},
    {"all nodes excluded", R"({"excluded_nodes":["k[001-004]"]})", 422, 2014},
    {"a node of another partition",
     R"({"partition":"small","required_nodes":["k003"]})",
     422,
     2014},
    {"more nodes at least than at most", R"({"minimum_nodes":3,"maximum_nodes":2})", 422, 2006},
    {"unknown licence", R"({"licenses":"foo:1"})", 422, 2048},
    {"unknown reservation", R"({"reservation":"foo"})", 422, 2053},
    {"unknown job to depend on", R"({"dependency":"afterok:99"})", 422, 2038},
    {"an array", R"({"array":"1-2"})", 422, 2081},
    {"no script and not external", R"({"flags":[]})", 422, 9000},
};

TEST(SlurmSubmit, TheNumberOfAGresStandsAfterAColonOrAnEqualsSign) {
  for (const char* gres : {"gres/gpu:2", "gres/gpu=2", "gres/gpu:a100:2", "gres/gpu:a100=2"}) {
    Cluster cluster;
    EXPECT_EQ(cluster.submit(R"({"tres_per_node":")" + std::string(gres) + R"("})").status, 200)
        << gres;
  }
}

TEST(SlurmSubmit, RefusalsHaveSlurmsNumbers) {
  for (const Row& row : kRefused) {
    Cluster cluster;
    const Reply reply = cluster.submit(row.members);
    EXPECT_EQ(reply.status, row.status) << row.why;
    EXPECT_EQ(reply.error(), row.number) << row.why;
    EXPECT_EQ(reply.number({"job_id"}), -1) << row.why;
  }
}

// reference/slurm.md 4: jobs that Slurm accepts and never starts, unless it is configured to refuse
// them.
SlurmOptions with_closed_doors() {
  SlurmOptions options = testing::four_nodes();
  options.partitions.push_back({"closed", {}, {}, {"root"}});
  options.reservations["for-alice"] = {{"alice"}};
  options.users = {"slurm", "alice", "bob"};
  options.groups = {"staff"};
  return options;
}

struct Never {
  std::string members;
  std::string reason;
  int number = 0;  // with EnforcePartLimits=ALL; 0: still accepted
};

const Never kNever[] = {
    {R"({"partition":"short","time_limit":60})", "PartitionTimeLimit", 2051},
    {R"({"minimum_nodes":100,"maximum_nodes":100})", "PartitionNodeLimit", 2006},
    {R"({"partition":"closed","user_id":"bob"})", "AccountNotAllowed", 2003},
    {R"({"reservation":"for-alice","user_id":"alice"})", "Reservation", 0},
};

TEST(SlurmSubmit, AJobThatCanNeverStartIsAcceptedWithAReason) {
  for (const Never& row : kNever) {
    Cluster cluster(with_closed_doors());
    const auto id = cluster.id_of(row.members);
    cluster.settle();
    EXPECT_EQ(cluster.job(id).state, "PENDING") << row.members;
    EXPECT_EQ(cluster.job(id).reason, row.reason);
  }
}

TEST(SlurmSubmit, WhereLimitsAreEnforcedTheSameIsRefused) {
  for (const Never& row : kNever) {
    SlurmOptions options = with_closed_doors();
    options.enforce_limits = true;
    Cluster cluster(options);
    const Reply reply = cluster.submit(row.members);
    EXPECT_EQ(reply.status, row.number == 0 ? 200 : 422) << row.members;
    if (row.number != 0) EXPECT_EQ(reply.error(), row.number) << row.members;
  }
}

TEST(SlurmSubmit, NamesOfPeopleAndTheirReservationsAreLookedUp) {
  const Row rows[] = {
      {"unknown user", R"({"user_id":"nobody-here"})", 422, 2166},
      {"unknown group", R"({"group_id":"nobody-here"})", 422, 2164},
      {"a reservation of another user",
       R"({"reservation":"for-alice","user_id":"bob"})",
       422,
       2052},
  };
  for (const Row& row : rows) {
    Cluster cluster(with_closed_doors());
    const Reply reply = cluster.submit(row.members);
    EXPECT_EQ(reply.status, row.status) << row.why;
    EXPECT_EQ(reply.error(), row.number) << row.why;
  }
}

TEST(SlurmSubmit, ANodeThatWasDeletedIsAnUnknownName) {
  Cluster cluster;
  ASSERT_TRUE(cluster.slurm.remove_node("k004"));
  EXPECT_EQ(cluster.submit(R"({"excluded_nodes":["k004"]})").error(), 2018);
  const auto id = cluster.id_of(R"({"hold":true})");
  const Reply reply =
      cluster.ask("POST", "/job/" + std::to_string(id), R"({"excluded_nodes":["k004"]})");
  EXPECT_EQ(reply.error(), 2018);
}

}  // namespace
}  // namespace models::slurm
