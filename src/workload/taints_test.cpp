// SPDX-License-Identifier: Apache-2.0
#include "workload/taints.h"

#include <gtest/gtest.h>

namespace workload {
namespace {

bool tolerated(kube::Toleration toleration, const kube::Taint& taint) {
  kube::Pod pod;
  pod.spec.tolerations = {std::move(toleration)};
  return tolerates(pod, taint);
}

TEST(Taints, AreToleratedAsKubernetesDoes) {
  const kube::Taint taint{"team", "a", "NoSchedule"};
  struct Row {
    kube::Toleration toleration;
    bool want;
  };
  const Row kRows[] = {
      {{"team", "Equal", "a", "NoSchedule", {}}, true},
      {{"team", "", "a", "", {}}, true},
      {{"team", "Equal", "b", "NoSchedule", {}}, false},
      {{"team", "Equal", "a", "NoExecute", {}}, false},
      {{"team", "Exists", "", "", {}}, true},
      {{"other", "Exists", "", "", {}}, false},
      {{"", "Exists", "", "", {}}, true},
      {{"", "Exists", "", "NoExecute", {}}, false},
      {{"", "Equal", "a", "", {}}, false},
      {{"team", "Unheard-of", "a", "", {}}, false},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(tolerated(row.toleration, taint), row.want)
        << row.toleration.key << " " << row.toleration.operator_ << " " << row.toleration.value;
  }
}

TEST(Taints, RepelByNoScheduleAndNoExecuteOnly) {
  EXPECT_TRUE(repels({"k", "", "NoSchedule"}));
  EXPECT_TRUE(repels({"k", "", "NoExecute"}));
  EXPECT_FALSE(repels({"k", "", "PreferNoSchedule"}));
}

TEST(Taints, OfTheNodesOwnStatePass) {
  for (const char* name : {"not-ready",
                           "unreachable",
                           "memory-pressure",
                           "disk-pressure",
                           "pid-pressure",
                           "network-unavailable",
                           "unschedulable",
                           "out-of-service"}) {
    EXPECT_TRUE(is_transient({std::string("node.kubernetes.io/") + name, "", "NoSchedule"}))
        << name;
  }
  EXPECT_FALSE(is_transient({"node-role.kubernetes.io/control-plane", "", "NoSchedule"}));
  EXPECT_FALSE(is_transient({"team", "a", "NoSchedule"}));
}

}  // namespace
}  // namespace workload
