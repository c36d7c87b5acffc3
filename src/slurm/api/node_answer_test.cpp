// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/node_answer.h"

#include "slurm/testing/sample.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline api {
namespace {

using testing::answer;
using ::testing::ElementsAre;
using testing::sample;

TEST(Nodes, ReadsThemWithTheirStates) {
  const auto list = nodes(sample("nodes"));
  ASSERT_TRUE(list.ok()) << list.error().to_string();
  ASSERT_TRUE(list->has_value());
  EXPECT_GT((*list)->last_update, 1'700'000'000);
  ASSERT_EQ((*list)->nodes.size(), 3U);
  const Node& free = (*list)->nodes[0];
  EXPECT_EQ(free.name, SlurmNodeName("k001"));
  EXPECT_TRUE(free.external());
  EXPECT_FALSE(free.draining());
  EXPECT_EQ(free.cpus, 32U);
  EXPECT_EQ(free.real_memory_mib, 131072U);
  EXPECT_THAT(free.features, ElementsAre("k8s", "zone_a"));
  EXPECT_EQ(free.gres, "gpu:a100:8");
  EXPECT_THAT(free.partitions, ::testing::Contains("ext"));
  const Node& drained = (*list)->nodes[1];
  EXPECT_TRUE(drained.draining());
  EXPECT_EQ(drained.reason, "slurm-bridge: not ready");
  EXPECT_FALSE((*list)->nodes[2].external());
}

TEST(Nodes, HaveTheTimesThatSlurmKnows) {
  const auto list = nodes(sample("nodes"));
  ASSERT_TRUE(list.ok()) << list.error().to_string();
  const Node& external = (*list)->nodes[0];
  EXPECT_EQ(external.slurmd_start_time, 0);
  EXPECT_EQ(external.boot_time, 0);
  EXPECT_EQ(external.reason_changed_at, 0);
  EXPECT_EQ((*list)->nodes[1].reason_changed_at, 1'794'782'992);
  const Node& real = (*list)->nodes[2];
  EXPECT_EQ(real.slurmd_start_time, 1'794'781'686);
  EXPECT_EQ(real.boot_time, 1'794'780'493);
}

TEST(Nodes, OfWorkersShowWhySlurmHoldsThem) {
  const auto list = nodes(sample("nodes-dynamic"));
  ASSERT_TRUE(list.ok()) << list.error().to_string();
  ASSERT_EQ((*list)->nodes.size(), 3U);
  for (const Node& node : (*list)->nodes) {
    EXPECT_TRUE(node.dynamic());
    EXPECT_EQ(node.reason_set_by, "slurm");
    EXPECT_GE(node.reason_changed_at, node.slurmd_start_time);
    if (node.name != SlurmNodeName("worker-0")) continue;
    EXPECT_TRUE(node.down());
    EXPECT_FALSE(node.not_responding());
    EXPECT_EQ(node.reason, "Node unexpectedly rebooted");
    EXPECT_EQ(node.boot_time, node.slurmd_start_time);
  }
}

TEST(Nodes, ATimeOfAnotherShapeIsUnknownAndKeepsTheListReadable) {
  const struct {
    const char* json;
    std::int64_t want;
  } kRows[] = {
      {R"({"set":true,"infinite":false,"number":5})", 5},
      {R"({"set":false,"infinite":false,"number":5})", 0},
      {R"({"set":true,"infinite":true,"number":5})", 0},
      {R"({"set":true,"infinite":false,"number":-5})", 0},
      {R"({"set":true})", 0},
      {"17", 0},
      {"\"soon\"", 0},
      {"null", 0},
  };
  for (const auto& row : kRows) {
    const auto list = nodes(
        answer(200,
               fmt::format(R"({{"nodes":[{{"name":"a","slurmd_start_time":{}}}],"errors":[]}})",
                           row.json)));
    ASSERT_TRUE(list.ok()) << row.json << list.error().to_string();
    EXPECT_EQ((*list)->nodes.at(0).slurmd_start_time, row.want) << row.json;
  }
}

TEST(Nodes, AreEqualIfOnlyTheirTimesDiffer) {
  Node a, b;
  b.slurmd_start_time = b.boot_time = b.reason_changed_at = 1;
  EXPECT_EQ(a, b);
  b.reason = "x";
  EXPECT_NE(a, b);
}

TEST(Nodes, NothingChangedIsNoList) {
  const auto list = nodes(sample("nodes-update_time-now"));
  ASSERT_TRUE(list.ok());
  EXPECT_FALSE(list->has_value());
}

TEST(Nodes, AnErrorIsNeverAnEmptyList) {
  for (const auto& one : {answer(504, "x"), answer(200, "{}"), answer(200, R"({"errors":[]})")}) {
    EXPECT_FALSE(nodes(one).ok()) << one.body;
  }
  // For an unknown node slurmrestd answers 200 with an error whose number is 0.
  EXPECT_FALSE(nodes(sample("err-node-unknown")).ok());
}

TEST(Ping, NamesTheSlurmThatAnswers) {
  const auto pong = ping(sample("ping"));
  ASSERT_TRUE(pong.ok()) << pong.error().to_string();
  EXPECT_TRUE(pong->responding());
  EXPECT_EQ(pong->release, "26.05.5");
  EXPECT_EQ(pong->cluster, "probe");
}

TEST(Ping, A200MayMeanThatNoControllerResponds) {
  const auto pong = ping(sample("down-ping"));
  ASSERT_TRUE(pong.ok());
  EXPECT_FALSE(pong->responding());
}

}  // namespace
}  // namespace slurm::inline api
