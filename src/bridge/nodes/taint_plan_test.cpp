// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/taint_plan.h"

#include "bridge/testing/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::nodes {
namespace {

using ::testing::ElementsAre;

TEST(TaintPlan, NamesTheNodesThatSlurmKnowsAndThatHaveNoTaintYet) {
  const auto names = nodes_to_taint(
      R"({"items":[{"metadata":{"name":"s1"}},{"metadata":{"name":"other"}},)"
      R"({"metadata":{"name":"b","labels":{"slinky.slurm.net/slurm-nodename":"s1"}},)"
      R"("spec":{"taints":[{"key":"slinky.slurm.net/managed-node","value":"s",)"
      R"("effect":"NoExecute"}]}}]})",
      {testing::slurm_node()},
      "s");
  ASSERT_TRUE(names.ok()) << names.error().message();
  EXPECT_THAT(*names, ElementsAre("s1"));
  EXPECT_FALSE(nodes_to_taint("{}", {}, "s").ok());
}

}  // namespace
}  // namespace bridge::nodes
