// SPDX-License-Identifier: Apache-2.0
#include "operator/process/gather.h"

#include "operator/process/rollout.h"
#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using settle::Naming;
using ::testing::ElementsAre;
using ::testing::Pair;

constexpr std::string_view kWithWorkers = R"({"slurmNodes":{"worker":{"size":1}}})";

struct GatherTest : testing::StoresTest {
  plan::Known known(const std::string& name) {
    return gather(stores, *cluster(name), {{}, workers::SlurmUnknown{"why"}, {}, {"failed"}, {}});
  }
};

TEST_F(GatherTest, EverythingOfTheClusterIsKnownAndNothingOfOthers) {
  world.add_cluster("a");
  world.add_cluster("b");
  world.add_node_set("sa", R"({"clusterName":"a"})");
  world.add_node_set("sb", R"({"clusterName":"b"})");
  world.add_pod("worker-0", "a", "worker");
  world.add_pod("other-0", "b", "worker");
  world.add_jwt_key("a");
  world.add_config_map("a-users", "a", R"({"uids":"alice 1001\n"})");
  fill();
  const plan::Known all = known("a");
  ASSERT_EQ(all.node_sets.size(), 1U);
  ASSERT_EQ(all.pods.size(), 1U);
  EXPECT_EQ(all.pods.front().metadata.name, "worker-0");
  EXPECT_TRUE(all.secrets.contains("a-rest-jwt-key"));
  EXPECT_THAT(all.recorded.uids, ElementsAre(Pair("alice", 1001)));
  EXPECT_THAT(all.apply_failures, ElementsAre("failed"));
  EXPECT_EQ(all.recorded.naming, std::nullopt);
}

TEST_F(GatherTest, RolloutsAreNamedByKindAndName) {
  world.add_cluster("a");
  world.send("POST",
             "/apis/apps/v1/namespaces/default/statefulsets",
             fmt::format(R"({{"metadata":{{"name":"controller",{}}},"spec":{{"replicas":1}},
                          "status":{{"readyReplicas":0}}}})",
                         world.labels("a")));
  fill();
  const plan::Known all = known("a");
  ASSERT_TRUE(all.rollouts.contains("StatefulSet/controller"));
  EXPECT_EQ(all.rollouts.at("StatefulSet/controller").desired, 1);
  EXPECT_FALSE(all.rollouts.at("StatefulSet/controller").current);
}

TEST_F(GatherTest, ARecordedNamingIsRead) {
  world.add_cluster("a");
  world.set_cluster_status("a", R"({"naming":"prefixed"})");
  fill();
  EXPECT_EQ(known("a").recorded.naming, Naming::prefixed);
}

TEST_F(GatherTest, OfTwoNewClustersTheOlderOneMayTakeTheShortNames) {
  world.add_cluster("z", kWithWorkers);
  world.pass(std::chrono::seconds(2));
  world.add_cluster("a", kWithWorkers);
  fill();
  EXPECT_FALSE(known("z").recorded.short_names_taken);
  EXPECT_TRUE(known("a").recorded.short_names_taken);
}

TEST_F(GatherTest, TheClusterWithRecordedShortNamesKeepsThem) {
  world.add_cluster("old", kWithWorkers);
  world.pass(std::chrono::seconds(2));
  world.add_cluster("new", kWithWorkers);
  world.set_cluster_status("new", R"({"naming":"short"})");
  fill();
  EXPECT_TRUE(known("old").recorded.short_names_taken);
  world.set_cluster_status("old", R"({"naming":"prefixed"})");
  settle_down();
  EXPECT_FALSE(known("new").recorded.short_names_taken);
}

TEST_F(GatherTest, AClusterWithoutOwnWorkersDoesNotTakeTheShortNames) {
  world.add_cluster("old");
  world.pass(std::chrono::seconds(2));
  world.add_cluster("new", kWithWorkers);
  fill();
  EXPECT_FALSE(known("new").recorded.short_names_taken);
}

TEST(Rollout, IsCurrentWhenTheNewestSpecIsObservedAndAllPodsFollowIt) {
  struct Row {
    std::string_view object;
    bool current;
  };
  const Row kRows[] = {
      {R"({"metadata":{"generation":2},"spec":{"replicas":1},
           "status":{"observedGeneration":2,"replicas":1,"updatedReplicas":1,"readyReplicas":1}})",
       true},
      {R"({"metadata":{"generation":2},"spec":{"replicas":1},
           "status":{"observedGeneration":2,"replicas":1,"updatedReplicas":1}})",
       true},
      {R"({"metadata":{"generation":3},"spec":{"replicas":1},
           "status":{"observedGeneration":2,"replicas":1,"updatedReplicas":1}})",
       false},
      {R"({"metadata":{"generation":2},"spec":{"replicas":2},
           "status":{"observedGeneration":2,"replicas":2,"updatedReplicas":1}})",
       false},
      {R"({"metadata":{"generation":1},"spec":{}})", false},
  };
  for (const Row& row : kRows) EXPECT_EQ(rollout_of(*json::parse(row.object)).current, row.current);
}

}  // namespace
}  // namespace slurmop::process
