// SPDX-License-Identifier: Apache-2.0
#include "operator/process/webhook.h"

#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using ::testing::HasSubstr;

struct WebhookTest : testing::StoresTest {
  static json::Value node_set(const std::string& name, std::string_view spec) {
    return *json::parse(
        fmt::format(R"({{"apiVersion":"slurm.nebius.ai/v1alpha1","kind":"NodeSet","metadata":
                     {{"name":"{}","namespace":"default"}},"spec":{}}})",
                    name,
                    spec));
  }
  static json::Value slurm_cluster(const std::string& name, std::string_view spec) {
    return *json::parse(
        fmt::format(R"({{"apiVersion":"slurm.nebius.ai/v1","kind":"SlurmCluster","metadata":
                     {{"name":"{}","namespace":"default"}},"spec":{}}})",
                    name,
                    spec));
  }
};

TEST_F(WebhookTest, AnInvalidClusterIsDeniedWithTheField) {
  fill();
  const auto verdict = judge_cluster(
      stores, {}, slurm_cluster("a", R"({"customSlurmConfig":"KilWait=5","slurmNodes":{}})"));
  ASSERT_TRUE(verdict.denial.has_value());
  EXPECT_EQ(verdict.denial->code, 422);
  EXPECT_THAT(verdict.denial->message, HasSubstr("spec.customSlurmConfig"));
}

TEST_F(WebhookTest, AnInvalidNodeSetIsDeniedAlsoWithoutACluster) {
  fill();
  const auto verdict =
      judge_node_set(stores, {}, node_set("s", R"({"nodeConfig":{"features":["a b"]}})"));
  ASSERT_TRUE(verdict.denial.has_value());
  EXPECT_THAT(verdict.denial->message, HasSubstr("spec.nodeConfig.features"));
}

TEST_F(WebhookTest, AnErrorOfTheClusterDoesNotDenyANodeSet) {
  world.add_cluster("a", R"({"customSlurmConfig":"KilWait=5","slurmNodes":{}})");
  fill();
  const auto verdict = judge_node_set(stores, {}, node_set("s", R"({"replicas":1})"));
  EXPECT_FALSE(verdict.denial.has_value())
      << (verdict.denial ? verdict.denial->message : std::string());
}

}  // namespace
}  // namespace slurmop::process
