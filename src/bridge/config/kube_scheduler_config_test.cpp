// SPDX-License-Identifier: Apache-2.0
#include "bridge/config/kube_scheduler_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

const std::string kHead =
    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

TEST(KubeSchedulerConfig, GivesNameAndLease) {
  const auto config = parse_kube_scheduler_config(
      kHead +
      "leaderElection:\n  leaderElect: false\n  resourceName: s\n  resourceNamespace: slinky\n"
      "  leaseDuration: 30s\n  renewDeadline: 20s\n  retryPeriod: 3s\n"
      "clientConnection: {kubeconfig: /k, qps: 50}\n"
      "profiles:\n- schedulerName: s\n  plugins: {filter: {enabled: [{name: SlurmBridge}]}}\n");
  ASSERT_TRUE(config.ok()) << config.error().message();
  ASSERT_TRUE(config->has_value());
  EXPECT_EQ((*config)->schedulerName, "s");
  EXPECT_FALSE((*config)->leaderElect);
  EXPECT_EQ((*config)->resourceName, "s");
  EXPECT_EQ((*config)->resourceNamespace, "slinky");
  EXPECT_EQ((*config)->times.lease, 30s);
  EXPECT_EQ((*config)->times.retry, 3s);
  EXPECT_EQ((*config)->kubeconfig, "/k");
  EXPECT_THAT((*config)->warnings, IsEmpty());
}

TEST(KubeSchedulerConfig, HasKubernetesDefaults) {
  const auto config = parse_kube_scheduler_config(kHead);
  ASSERT_TRUE(config.ok() && config->has_value());
  EXPECT_EQ((*config)->schedulerName, "default-scheduler");
  EXPECT_TRUE((*config)->leaderElect);
  EXPECT_EQ((*config)->resourceName, "kube-scheduler");
  EXPECT_EQ((*config)->resourceNamespace, "kube-system");
}

TEST(KubeSchedulerConfig, OurOwnFileIsNotOfThisKind) {
  for (const char* yaml : {"", "partition: p", "apiVersion: v1\nkind: ConfigMap\n"}) {
    const auto config = parse_kube_scheduler_config(yaml);
    ASSERT_TRUE(config.ok()) << config.error().message();
    EXPECT_FALSE(config->has_value()) << yaml;
  }
}

TEST(KubeSchedulerConfig, ErrorsNamePlaceAndFix) {
  struct Row {
    std::string yaml;
    std::string says;
  };
  const Row kRows[] = {
      {"apiVersion: kubescheduler.config.k8s.io/v1beta3\nkind: KubeSchedulerConfiguration\n",
       "write KubeSchedulerConfiguration and kubescheduler.config.k8s.io/v1"},
      {kHead + "profiles: {}\n", "line 3, column 11: profiles must be a list"},
      {kHead + "leaderElection: {leaderElect: maybe}\n", "leaderElection.leaderElect is"},
      {kHead + "leaderElection: {leaseDuration: soon}\n", "is not a duration such as 15s"},
      {kHead + "leaderElection: {leaseDuration: 1s}\n", "leaderElection is wrong"},
      {"a: [", "line 1"},
  };
  for (const Row& row : kRows) {
    const auto config = parse_kube_scheduler_config(row.yaml);
    ASSERT_FALSE(config.ok()) << row.yaml;
    EXPECT_THAT(config.error().message(), HasSubstr(row.says));
  }
  const auto two =
      parse_kube_scheduler_config(kHead + "profiles: [{schedulerName: a}, {schedulerName: b}]\n");
  EXPECT_EQ((*two)->schedulerName, "a");
  EXPECT_THAT((*two)->warnings, ElementsAre(HasSubstr("profiles has 2 entries")));
}

}  // namespace
}  // namespace bridge::config
