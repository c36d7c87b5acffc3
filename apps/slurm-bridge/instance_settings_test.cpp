// SPDX-License-Identifier: Apache-2.0
#include "instance_settings.h"

#include <gtest/gtest.h>

namespace app {
namespace {

using namespace std::chrono_literals;

// The effect on the number of calls in flight is tested in src/bridge/process/instance_test.cpp.
TEST(InstanceSettings, WorkersAreThoseOfPodsAndOfNodes) {
  Settings settings;
  settings.pod_workers = 3;
  settings.node_workers = 7;
  const bridge::process::InstanceOptions options = instance_options(settings, "");
  EXPECT_EQ(options.pod_workers, 3U);
  EXPECT_EQ(options.node_workers, 7U);
}

TEST(InstanceSettings, EveryLiveKeyReachesTheRoles) {
  Settings settings;
  settings.config.partition = "p";
  settings.config.mcsLabel = "m";
  settings.config.holdSeconds = 7;
  settings.config.nodes = {false, false, true};
  const bridge::config::LiveSettings live = instance_options(settings, "").live;
  EXPECT_EQ(live.defaults.partition, "p");
  EXPECT_EQ(live.defaults.mcs_label, "m");
  EXPECT_EQ(live.hold, 7s);
  EXPECT_FALSE(live.nodes.taint);
  EXPECT_FALSE(live.nodes.cordon);
  EXPECT_TRUE(live.nodes.healNotResponding);
}

TEST(InstanceSettings, LeasesAreInTheNamespaceThatWasNamedElseInOurOwn) {
  struct Row {
    std::string named;
    std::string own;
    std::string want;
  };
  for (const Row& row : {Row{"named", "own", "named"}, {"", "own", "own"}, {"", "", "default"}}) {
    Settings settings;
    settings.config.features.enableLeaderElection = true;
    settings.lease_names = {"mine"};
    settings.lease_namespace = row.named;
    const bridge::process::InstanceOptions options = instance_options(settings, row.own);
    ASSERT_TRUE(options.leadership.has_value());
    EXPECT_EQ(options.leadership->leases, (std::vector<kube::ObjectKey>{{row.want, "mine"}}));
    EXPECT_EQ(options.cluster_id_lease, (kube::ObjectKey{row.want, bridge::process::kClusterNote}));
  }
}

}  // namespace
}  // namespace app
