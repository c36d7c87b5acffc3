// SPDX-License-Identifier: Apache-2.0
// 10.4 q, r, 11.4, baseline 9.8: each node took one or two seconds, one after the other; the same
// nodes were read and written again for ever.
#include "bridge/testing/node_syncer.h"

#include <algorithm>

namespace bridge {
namespace {

using Weakness104q = testing::NodeSyncerTest;
constexpr int kNodes = 200;

std::string name_of(int i) {
  return fmt::format("n{}", i);
}

TEST_F(Weakness104q, TwoHundredCordonsAreDrainsWithinSeconds) {
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

TEST_F(Weakness104q, NodesThatAreInStepCostNeitherCallsNorWrites) {
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
