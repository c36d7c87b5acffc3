// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/node_answer.h"

#include "slurm/testing/sample.h"

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
