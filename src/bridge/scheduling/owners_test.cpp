// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/owners.h"

#include "bridge/testing/objects.h"
#include "net/testing/loop.h"
#include "workload/wellknown.h"

#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using base::Kind;
using workload::Ownership;
using workload::RootKind;
using namespace std::chrono_literals;

const std::string kJobs = "/apis/batch/v1/namespaces/a/jobs/";

std::string object(std::string_view api_and_kind,
                   std::string_view uid,
                   std::string_view qos,
                   std::string_view owner = "") {
  return fmt::format(R"({{{},"metadata":{{"uid":"{}","annotations":{{"{}qos":"{}"}}{}}},)"
                     R"("spec":{{"activeDeadlineSeconds":600}}}})",
                     api_and_kind,
                     uid,
                     workload::kJobAnnotationPrefix,
                     qos,
                     owner);
}
constexpr std::string_view kJob = R"("apiVersion":"batch/v1","kind":"Job")";
constexpr std::string_view kOther = R"("apiVersion":"x/v1","kind":"X")";

kube::Pod pod_of(std::string api, std::string kind, std::string name, std::string uid) {
  kube::Pod pod;
  pod.metadata.namespace_ = "a";
  pod.metadata.name = "p";
  pod.metadata.ownerReferences = {
      {std::move(api), std::move(kind), std::move(name), kube::Uid(std::move(uid)), true}};
  return pod;
}
kube::Pod pod_of_job() {
  return pod_of("batch/v1", "Job", "train", "j-1");
}

struct OwnersTest : ::testing::Test {
  base::Result<Ownership> of(const kube::Pod& pod) { return world.run(reader.of(pod)); }
  std::string qos(const Ownership& owners) {
    const auto found = owners.annotations.find(workload::kJobAnnotationPrefix + "qos");
    return found == owners.annotations.end() ? "none" : found->second;
  }
  void pass(base::Duration time) { (void)world.run(world.loop.sleep_for(time)); }

  net::testing::VirtualWorld world;
  testing::Objects server{world.loop};
  OwnerReader reader{world.loop, world.tasks, server.client};
};

TEST_F(OwnersTest, APodWithoutAControllerCausesNoRequest) {
  kube::Pod pod;
  EXPECT_EQ(*of(pod), Ownership());
  EXPECT_TRUE(server.transport.calls.empty());
}

TEST_F(OwnersTest, AJobIsReadOnceForAllItsPodsAndAgainAfterAMinute) {
  server.bodies[kJobs + "train"] = object(kJob, "j-1", "high");
  for (int i = 0; i < 1000; ++i)
    world.tasks.spawn("pod", [this]() -> net::Task<void> {
      const auto found = co_await reader.of(pod_of_job());
      EXPECT_TRUE(found.ok());
    });
  const auto found = of(pod_of_job());
  EXPECT_EQ(found->kind, RootKind::job);
  EXPECT_EQ(qos(*found), "high");
  EXPECT_EQ(found->activeDeadlineSeconds, 600);
  EXPECT_EQ(server.transport.calls.size(), 1U);

  server.bodies[kJobs + "train"] = object(kJob, "j-1", "low");
  pass(61s);
  EXPECT_EQ(qos(*of(pod_of_job())), "low");
  EXPECT_EQ(server.transport.calls.size(), 2U);
}

TEST_F(OwnersTest, TheJobsOfAJobSetShareOneReadOfTheJobSet) {
  constexpr std::string_view kBySet =
      R"(,"ownerReferences":[{"apiVersion":"jobset.x-k8s.io/v1alpha2","kind":"JobSet",)"
      R"("name":"set","uid":"s-1","controller":true}])";
  server.bodies["/apis/jobset.x-k8s.io/v1alpha2/namespaces/a/jobsets/set"] =
      object(kOther, "s-1", "of-the-set");
  for (const char* name : {"one", "two"}) {
    server.bodies[kJobs + name] = object(kJob, name, "of-the-job", kBySet);
    const auto found = of(pod_of("batch/v1", "Job", name, name));
    EXPECT_EQ(found->kind, RootKind::job_set);
    EXPECT_EQ(qos(*found), "of-the-set");
    EXPECT_EQ(found->activeDeadlineSeconds, 600);
  }
  EXPECT_EQ(server.transport.count("jobsets/set"), 1U);
}

TEST_F(OwnersTest, AnObjectWithTheOwnersNameAndAnotherUidIsNotTheOwner) {
  server.bodies[kJobs + "train"] = object(kJob, "j-2", "high");
  const auto found = of(pod_of_job());
  ASSERT_FALSE(found.ok());
  EXPECT_TRUE(found.error().is(Kind::not_found));
}

TEST_F(OwnersTest, AnOwnerOfOneNamespaceIsNotVisibleInAnother) {
  server.bodies[kJobs + "train"] = object(kJob, "j-1", "high");
  EXPECT_TRUE(of(pod_of_job()).ok());
  kube::Pod stranger = pod_of_job();
  stranger.metadata.namespace_ = "b";
  EXPECT_TRUE(of(stranger).error().is(Kind::not_found));
}

TEST_F(OwnersTest, AnUnknownKindIsDiscoveredOnce) {
  server.bodies["/apis/ray.io/v1"] =
      R"({"resources":[{"name":"rayclusters/status","kind":"RayCluster","namespaced":true},)"
      R"({"name":"rayclusters","kind":"RayCluster","namespaced":true}]})";
  for (const char* name : {"one", "two"}) {
    server.bodies[std::string("/apis/ray.io/v1/namespaces/a/rayclusters/") + name] =
        object(kOther, name, name);
    EXPECT_EQ(qos(*of(pod_of("ray.io/v1", "RayCluster", name, name))), name);
  }
  EXPECT_EQ(server.transport.calls.size(), 3U);
}

TEST_F(OwnersTest, AClusterScopedOwnerIsReadWithoutANamespace) {
  server.bodies["/api/v1"] = R"({"resources":[{"name":"nodes","kind":"Node","namespaced":false}]})";
  server.bodies["/api/v1/nodes/n1"] = object(kOther, "n-1", "of-the-node");
  EXPECT_EQ(qos(*of(pod_of("v1", "Node", "n1", "n-1"))), "of-the-node");
}

TEST_F(OwnersTest, AnOwnerThatIsNotServedOrForbiddenHasNoEffect) {
  EXPECT_EQ(*of(pod_of("gone.example.com/v1", "Thing", "x", "x")), Ownership());
  server.bodies["/apis/ray.io/v1"] =
      R"({"resources":[{"name":"rayclusters","kind":"RayCluster","namespaced":true}]})";
  server.refusals["/apis/ray.io/v1/namespaces/a/rayclusters/x"] = 403;
  EXPECT_EQ(*of(pod_of("ray.io/v1", "RayCluster", "x", "x")), Ownership());
  for (const char* api : {"../../api/v1", "a/../b", "a b", "", "A/v1", "a/b/c", ".."})
    EXPECT_EQ(*of(pod_of(api, "X", "x", "x")), Ownership()) << api;
  EXPECT_EQ(server.transport.count(".."), 0U);
}

TEST_F(OwnersTest, AFailureReturnsItsKindAndEndsWithItsCause) {
  struct Row {
    int status;
    Kind kind;
  };
  for (const Row& row : {Row{403, Kind::forbidden}, Row{503, Kind::unavailable}}) {
    server.refusals[kJobs + "train"] = row.status;
    const auto found = of(pod_of_job());
    ASSERT_FALSE(found.ok());
    EXPECT_TRUE(found.error().is(row.kind));
    pass(2s);
  }
  server.refusals.clear();
  server.bodies[kJobs + "train"] = object(kJob, "j-1", "high");
  EXPECT_TRUE(of(pod_of_job()).ok());
}

}  // namespace
}  // namespace bridge::scheduling
