// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/eviction.h"

#include "bridge/testing/objects.h"
#include "bridge/testing/scheduling.h"
#include "net/testing/loop.h"

#include <gtest/gtest.h>

namespace bridge::nodes {
namespace {

using testing::a_pod;

TEST(Eviction, EndsThePodsThatDoNotTolerateTheTaintForGood) {
  const kube::Taint taint{"k", "v", "NoExecute"};
  const struct {
    const char* what;
    std::vector<kube::Toleration> tolerations;
    bool evicted;
  } kRows[] = {
      {"none", {}, true},
      {"the same", {{"k", "Equal", "v", "NoExecute", {}}}, false},
      {"operator left out", {{"k", "", "v", "NoExecute", {}}}, false},
      {"any effect", {{"k", "Equal", "v", "", {}}}, false},
      {"any value", {{"k", "Exists", "", "", {}}}, false},
      {"anything", {{"", "Exists", "", "", {}}}, false},
      {"another value", {{"k", "Equal", "w", "NoExecute", {}}}, true},
      {"another key", {{"l", "Exists", "", "", {}}}, true},
      {"another effect", {{"k", "Exists", "", "NoSchedule", {}}}, true},
      {"no key and a value", {{"", "Equal", "v", "", {}}}, true},
      {"for a minute", {{"k", "Exists", "", "", 60}}, true},
      {"one of several", {{"l", "Exists", "", "", {}}, {"k", "Exists", "", "", {}}}, false},
  };
  for (const auto& row : kRows) {
    kube::Pod pod = a_pod().on("n1");
    pod.spec.tolerations = row.tolerations;
    EXPECT_EQ(would_be_evicted(pod, taint), row.evicted) << row.what;
  }
}

TEST(Eviction, IgnoresPodsThatDoNotRunThereOrAreBeingDeleted) {
  const kube::Taint taint{"k", "v", "NoExecute"};
  EXPECT_FALSE(would_be_evicted(a_pod(), taint));
  EXPECT_FALSE(would_be_evicted(a_pod().on("n1").phase("Succeeded"), taint));
  EXPECT_FALSE(would_be_evicted(a_pod().on("n1").deleting(), taint));
  kube::Pod mirror = a_pod().on("n1");
  mirror.metadata.annotations["kubernetes.io/config.mirror"] = "x";
  EXPECT_FALSE(would_be_evicted(mirror, taint));
}

struct EvictedPods : ::testing::Test {
  base::Result<std::vector<std::string>> ask(std::string answer) {
    server.bodies["/api/v1/pods"] = std::move(answer);
    return world.run(evicted_pods(kube::Api<kube::Pod>(world.loop, server.client),
                                  kube::NodeName("n"),
                                  {"k", "v", "NoExecute"}));
  }

  net::testing::VirtualWorld world;
  testing::Objects server{world.loop};
};

TEST_F(EvictedPods, AreThoseOfTheNodeInOneAnswer) {
  const auto names =
      ask(R"({"items":[{"metadata":{"name":"a","namespace":"x"},"spec":{"nodeName":"n"}},)"
          R"({"metadata":{"name":"b","namespace":"x"},"spec":{"nodeName":"n",)"
          R"("tolerations":[{"operator":"Exists"}]}}]})");
  ASSERT_TRUE(names.ok()) << names.error().message();
  EXPECT_EQ(*names, std::vector<std::string>{"x/a"});
  ASSERT_EQ(server.transport.calls.size(), 1U);
  EXPECT_EQ(server.transport.calls.front().request.target,
            "/api/v1/pods?limit=0&fieldSelector=spec.nodeName%3Dn");
}

TEST_F(EvictedPods, AreNotKnownFromAnAnswerThatIsNoListOfPods) {
  EXPECT_FALSE(ask("{}").ok());
  EXPECT_FALSE(ask(R"({"items":[{"metadata":7}]})").ok());
}

}  // namespace
}  // namespace bridge::nodes
