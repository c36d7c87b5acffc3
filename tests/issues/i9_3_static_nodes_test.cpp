// SPDX-License-Identifier: Apache-2.0
// Baseline 9.3: an external node of slurm.conf whose Kubernetes node lacks the label was drained
// and removed; one with GRES was removed and created again for ever.
#include "bridge/testing/nodes.h"

#include <gtest/gtest.h>

namespace bridge::testing {
namespace {

TEST(Baseline93, ANodeThatWeDidNotMakeIsNeverRemoved) {
  const kube::Node plain = kube_node();
  const kube::Node labelled = labelled_node();
  for (const char* state : {"IDLE", "MIXED"}) {
    slurm::Node node = slurm_node({state});
    EXPECT_EQ(steps_text(facts_of(&plain, &node)), "");
    EXPECT_EQ(steps_text(facts_of(&labelled, &node)).find("remove"), std::string::npos);
    node.gres = "gpu:a100:4";
    EXPECT_EQ(steps_text(facts_of(&plain, &node)), "");
  }
}

}  // namespace
}  // namespace bridge::testing
