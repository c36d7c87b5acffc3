// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge#52: each Kubernetes node that Slurm does not know caused seconds of
// calls to Slurm, every few minutes.
#include "bridge/testing/node_syncer.h"

namespace bridge {
namespace {

using NoCallsForUnknownNodes = testing::NodeSyncerTest;

TEST_F(NoCallsForUnknownNodes, KubernetesNodesUnknownToSlurmCauseNoCalls) {
  slurm_["n1"] = {};
  pass(std::chrono::minutes(1));
  const std::size_t alone = slurm_calls("/");
  pass(std::chrono::minutes(1));
  const std::size_t a_minute = slurm_calls("/") - alone;
  for (int i = 0; i < 500; ++i) see_node(fmt::format("other-{}", i));
  for (int i = 0; i < 500; ++i) see_node(fmt::format("other-{}", i), R"({"unschedulable":true})");
  const std::size_t before = slurm_calls("/");
  pass(std::chrono::minutes(1));
  EXPECT_LE(slurm_calls("/") - before, a_minute + 1);
  EXPECT_EQ(slurm_calls("/node/"), 0U);
  EXPECT_TRUE(kube_writes().empty());
}

}  // namespace
}  // namespace bridge
