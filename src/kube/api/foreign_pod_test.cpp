// SPDX-License-Identifier: Apache-2.0
#include "kube/api/foreign_pod.h"

#include "kube/cache/store.h"

#include <gtest/gtest.h>

namespace kube::inline api {
namespace {

ForeignPod decoded(std::string_view text) {
  json::Parser parser;
  return decode_object<ForeignPod>(parser.parse(text).value()).value();
}

TEST(ForeignPod, HasItsNodeAndItsRequests) {
  const ForeignPod pod = decoded(R"({"metadata":{"name":"agent-x","namespace":"kube-system",
      "uid":"u","resourceVersion":"7","labels":{"a":"b"},
      "ownerReferences":[{"apiVersion":"apps/v1","kind":"DaemonSet","name":"agent","uid":"d",
                          "controller":true}]},
      "spec":{"nodeName":"n1","overhead":{"cpu":"100m"},
        "containers":[{"name":"c","resources":{"requests":{"cpu":"200m","memory":"64Mi"}}}],
        "initContainers":[{"name":"i","resources":{"requests":{"memory":"1Gi"}}}]},
      "status":{"phase":"Running"}})");
  EXPECT_EQ(pod.metadata.key(), (ObjectKey{"kube-system", "agent-x"}));
  EXPECT_EQ(pod.node, NodeName("n1"));
  EXPECT_EQ(pod.requests["cpu"], 300);
  EXPECT_EQ(pod.requests["memory"], 1 << 30);
  EXPECT_TRUE(pod.of_daemon_set);
  EXPECT_FALSE(pod.ended);
  EXPECT_FALSE(pod.metadata.deleting);
}

// Claims that another pod could use: a claim created for one pod is used by no other pod.
TEST(ForeignPod, ListsTheClaimsThatItUses) {
  EXPECT_EQ(decoded(R"({"metadata":{"name":"p"},"spec":{"volumes":[{"name":"a","emptyDir":{}},)"
                    R"({"name":"b","persistentVolumeClaim":{"claimName":"data"}},)"
                    R"({"name":"c","ephemeral":{}}]}})")
                .claims,
            std::vector<std::string>{"data"});
}

TEST(ForeignPod, OnlyTheControllerOwnerCounts) {
  const ForeignPod pod = decoded(R"({"metadata":{"name":"p","deletionTimestamp":"x",
      "ownerReferences":[{"kind":"DaemonSet","name":"d","uid":"d"}]},
      "status":{"phase":"Failed"}})");
  EXPECT_FALSE(pod.of_daemon_set);
  EXPECT_TRUE(pod.ended);
  EXPECT_TRUE(pod.metadata.deleting);
}

TEST(ForeignPod, CanBeKeptInAStore) {
  Store<ForeignPod> store;
  json::Parser parser;
  store.changed(parser
                    .parse(R"({"metadata":{"name":"p","namespace":"a","resourceVersion":"1"},
                               "spec":{"nodeName":"n1"}})")
                    .value());
  ASSERT_NE(store.find({"a", "p"}), nullptr);
  EXPECT_EQ(store.find({"a", "p"})->node, NodeName("n1"));
}

}  // namespace
}  // namespace kube::inline api
