// SPDX-License-Identifier: Apache-2.0
// In SlinkyProject/slurm-bridge each node took one or two seconds, one after the other, and the
// same nodes were read and written repeatedly.
#include "bridge/testing/node_syncer.h"

#include <algorithm>

namespace bridge {
namespace {

using NodeSyncSpeed = testing::NodeSyncerTest;
constexpr int kNodes = 200;

std::string name_of(int i) {
  return fmt::format("n{}", i);
}

TEST_F(NodeSyncSpeed, TwoHundredCordonedNodesAreDrainedWithinSeconds) {
  live_.nodes.taint = false;
  for (int i = 0; i < kNodes; ++i) slurm_[name_of(i)] = {};
  slurm_changed();
  pass(std::chrono::minutes(1));
  for (int i = 0; i < kNodes; ++i) see_node(name_of(i), R"({"unschedulable":true})");
  pass(std::chrono::seconds(10));
  EXPECT_EQ(std::ranges::count_if(slurm_,
                                  [](const auto& one) {
                                    return std::ranges::find(one.second.states, "DRAIN") !=
                                           one.second.states.end();
                                  }),
            kNodes);
}

TEST_F(NodeSyncSpeed, SynchronizedNodesCauseNoCallsAndNoWrites) {
  live_.nodes.taint = false;
  for (int i = 0; i < kNodes; ++i) slurm_[name_of(i)] = {};
  slurm_changed();
  for (int i = 0; i < kNodes; ++i) see_node(name_of(i));
  pass(std::chrono::minutes(10));
  EXPECT_EQ(slurm_calls("/node/"), 0U);
  EXPECT_TRUE(slurm_writes().empty());
  EXPECT_TRUE(kube_writes().empty());
}

}  // namespace
}  // namespace bridge
