// SPDX-License-Identifier: Apache-2.0
// In SlinkyProject/slurm-bridge the node annotation of a pod, a Kubernetes name, was compared with
// names in Slurm, and removed repeatedly where they differ.
#include "small_world.h"

namespace issues {
namespace {

TEST(DifferentNodeNames, TheNodeAnnotationOfThePodIsKept) {
  SmallWorld small(5s, SmallWorld::Names::differ);
  for (const char* name : {"a", "b"}) small.create(name, {{"partition", "small"}});
  ASSERT_TRUE(small.until([&] { return small.bound("a") && small.bound("b"); }, 10s));
  small.pass(2min);
  const std::size_t writes = small.writes();
  small.world.kill(*small.world.processes().front(), 1s);
  small.pass(20min);
  for (const char* name : {"a", "b"}) {
    const sim::PodTruth* pod = small.pod(name);
    ASSERT_NE(pod, nullptr);
    EXPECT_EQ(pod->node_annotation, pod->node);
    ASSERT_EQ(small.jobs(name).size(), 1U);
    EXPECT_EQ(small.jobs(name).front().nodes, std::vector{small.world.slurm_name(pod->node)});
    EXPECT_NE(small.world.slurm_name(pod->node), pod->node);
  }
  EXPECT_LE(small.writes() - writes, 1U) << "only the check of the token at the start";
}

}  // namespace
}  // namespace issues
