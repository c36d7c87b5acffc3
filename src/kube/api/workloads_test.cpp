// SPDX-License-Identifier: Apache-2.0
#include "kube/api/workloads.h"

#include <gtest/gtest.h>

namespace kube::inline api {
namespace {

template <class T>
T decoded(std::string_view text) {
  json::Parser parser;
  return decode_object<T>(*parser.parse(text)).value();
}

TEST(Workloads, AreRolledOutWhenEveryReplicaHasTheCurrentSpecAndIsReady) {
  const struct {
    const char* what;
    const char* text;
    bool rolled_out;
  } kRows[] = {
      {"all are ready",
       R"({"metadata":{"generation":2},"spec":{"replicas":2},"status":{"observedGeneration":2,)"
       R"("replicas":2,"readyReplicas":2,"updatedReplicas":2}})",
       true},
      {"its controller has not seen the spec",
       R"({"metadata":{"generation":3},"spec":{"replicas":2},"status":{"observedGeneration":2,)"
       R"("replicas":2,"readyReplicas":2,"updatedReplicas":2}})",
       false},
      {"one is not ready",
       R"({"metadata":{"generation":2},"spec":{"replicas":2},"status":{"observedGeneration":2,)"
       R"("replicas":2,"readyReplicas":1,"updatedReplicas":2}})",
       false},
      {"one replica without a word",
       R"({"metadata":{"generation":1},"status":{"observedGeneration":1,)"
       R"("replicas":1,"readyReplicas":1,"updatedReplicas":1}})",
       true},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(is_rolled_out(decoded<StatefulSet>(row.text)), row.rolled_out) << row.what;
    EXPECT_EQ(is_rolled_out(decoded<Deployment>(row.text)), row.rolled_out) << row.what;
  }
}

TEST(Workloads, ADaemonSetIsRolledOutWhenEveryNodeHasItsCurrentPod) {
  DaemonSet set = decoded<DaemonSet>(
      R"({"metadata":{"generation":2},"status":{"observedGeneration":2,)"
      R"("desiredNumberScheduled":3,"currentNumberScheduled":3,"updatedNumberScheduled":3,)"
      R"("numberReady":3}})");
  EXPECT_TRUE(is_rolled_out(set));
  set.status.numberReady = 2;
  EXPECT_FALSE(is_rolled_out(set));
  set.status.numberReady = 3;
  set.metadata.generation = 3;
  EXPECT_FALSE(is_rolled_out(set));
}

TEST(Workloads, AnObservedPodHasTheStatesOfItsContainers) {
  const auto pod = decoded<ObservedPod>(
      R"({"metadata":{"name":"p"},"status":{"phase":"Running","podIP":"10.0.0.7",)"
      R"("conditions":[{"type":"Ready","status":"True"}],)"
      R"("containerStatuses":[{"name":"c","ready":true,"restartCount":2,)"
      R"("lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled"}}}]}})");
  EXPECT_TRUE(pod.ready());
  EXPECT_EQ(pod.status.podIP, "10.0.0.7");
  ASSERT_EQ(pod.status.containerStatuses.size(), 1U);
  EXPECT_EQ(pod.status.containerStatuses[0].lastState.terminated->exitCode, 137);
}

}  // namespace
}  // namespace kube::inline api
