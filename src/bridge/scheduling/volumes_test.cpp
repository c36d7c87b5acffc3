// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/volumes.h"

#include "bridge/testing/objects.h"
#include "net/testing/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using base::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using workload::VolumePlaces;
using namespace std::chrono_literals;

const std::string kClaim = "/api/v1/namespaces/a/persistentvolumeclaims/data";
const std::string kVolumes = "/api/v1/persistentvolumes";

std::string claim(std::string_view spec, std::string_view phase = "Pending") {
  return fmt::format(R"({{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{{)"
                     R"("name":"data","namespace":"a","uid":"c-1","resourceVersion":"5"}},)"
                     R"("spec":{{"kept":"as it is",{}}},"status":{{"phase":"{}"}}}})",
                     spec,
                     phase);
}

std::string volume(std::string_view name, std::string_view zone) {
  return fmt::format(
      R"({{"metadata":{{"name":"{0}","resourceVersion":"9"}},"spec":{{"storageClassName":"local",)"
      R"("capacity":{{"storage":"1Gi"}},"nodeAffinity":{{"required":{{"nodeSelectorTerms":[)"
      R"({{"matchExpressions":[{{"key":"zone","operator":"In","values":["{1}"]}}]}}]}}}}}},)"
      R"("status":{{"phase":"Available"}}}})",
      name,
      zone);
}

kube::Pod pod_with_claim() {
  kube::Pod pod;
  pod.metadata.namespace_ = "a";
  pod.metadata.name = "p";
  pod.spec.volumes.emplace_back().persistentVolumeClaim = {"data"};
  return pod;
}

kube::Node node_in(const std::string& zone) {
  kube::Node node;
  node.metadata.name = "n-" + zone;
  node.metadata.labels = {{"zone", zone}};
  return node;
}

struct VolumesTest : ::testing::Test {
  base::Result<VolumePlaces> of(const kube::Pod& pod) { return world.run(reader.of(pod)); }
  base::Result<bool> prepare(const std::string& zone) {
    TRY(const auto prepared, world.run(reader.prepare(pod_with_claim(), node_in(zone))));
    return prepared.ready;
  }
  void pass(base::Duration time) { (void)world.run(world.loop.sleep_for(time)); }
  void a_class(std::string_view provisioner, std::string_view mode = "WaitForFirstConsumer") {
    server.bodies["/apis/storage.k8s.io/v1/storageclasses/local"] =
        fmt::format(R"({{"provisioner":"{}","volumeBindingMode":"{}"}})", provisioner, mode);
  }
  std::size_t writes() const {
    std::size_t n = 0;
    for (const auto& call : server.transport.calls) n += call.request.method == "PUT" ? 1U : 0U;
    return n;
  }

  net::testing::VirtualWorld world;
  testing::Objects server{world.loop};
  VolumeReader reader{world.loop, world.tasks, server.client};
};

TEST_F(VolumesTest, APodWithoutClaimsCausesNoRequest) {
  EXPECT_EQ(*of({}), VolumePlaces());
  EXPECT_TRUE(world.run(reader.prepare({}, node_in("a")))->ready);
  EXPECT_TRUE(server.transport.calls.empty());
}

TEST_F(VolumesTest, ABoundClaimIsAtThePlaceOfItsVolumeAndNeedsNoWrite) {
  server.bodies[kClaim] = claim(R"("volumeName":"pv-1")", "Bound");
  server.bodies[kVolumes + "/pv-1"] = volume("pv-1", "a");
  const auto places = of(pod_with_claim());
  ASSERT_EQ(places->places.size(), 1U);
  EXPECT_TRUE(workload::reaches(places->places[0], node_in("a")));
  EXPECT_FALSE(workload::reaches(places->places[0], node_in("b")));
  EXPECT_TRUE(*prepare("a"));
  EXPECT_EQ(writes(), 0U);
}

// The claim had no volume when the job was submitted, or another pod used the claim first.
TEST_F(VolumesTest, AClaimThatWasBoundElsewhereMeanwhileIsAConflict) {
  server.bodies[kClaim] = claim(R"("volumeName":"pv-1")", "Bound");
  server.bodies[kVolumes + "/pv-1"] = volume("pv-1", "a");
  const auto ready = prepare("b");
  ASSERT_FALSE(ready.ok());
  EXPECT_TRUE(ready.error().is(Kind::conflict));
  EXPECT_THAT(ready.error().message(), HasSubstr("a/data cannot be served on node n-b"));
}

TEST_F(VolumesTest, AMissingClaimAndAClaimWithoutAVolumeAreDifferentErrors) {
  EXPECT_TRUE(of(pod_with_claim()).error().is(Kind::not_found));
  EXPECT_THAT(of(pod_with_claim()).error().message(), HasSubstr("a/data"));
  server.bodies[kClaim] = claim(R"("storageClassName":"local")");
  a_class("csi.example.com", "Immediate");
  pass(2s);
  EXPECT_TRUE(of(pod_with_claim()).error().is(Kind::unavailable));
}

TEST_F(VolumesTest, TheSelectedNodeIsWrittenOnceToAClaimThatWaitsForThePod) {
  server.bodies[kClaim] = claim(R"("storageClassName":"local")");
  a_class("csi.example.com");
  EXPECT_EQ(*of(pod_with_claim()), VolumePlaces());
  EXPECT_FALSE(*prepare("a"));
  EXPECT_EQ(writes(), 1U);
  EXPECT_THAT(server.bodies[kClaim], HasSubstr(R"("volume.kubernetes.io/selected-node":"n-a")"));
  EXPECT_THAT(server.bodies[kClaim], HasSubstr(R"("kept":"as it is")"));
  EXPECT_FALSE(*prepare("a"));
  EXPECT_EQ(writes(), 1U);

  EXPECT_TRUE(prepare("b").error().is(Kind::conflict)) << "the selected node is n-a";

  server.bodies[kClaim] = claim(R"("volumeName":"pv-1")", "Bound");
  server.bodies[kVolumes + "/pv-1"] = volume("pv-1", "a");
  pass(2s);
  EXPECT_TRUE(*prepare("a"));
}

TEST_F(VolumesTest, AReleaseRemovesTheSelectedNodeFromTheClaim) {
  server.bodies[kClaim] = claim(R"("storageClassName":"local")");
  a_class("csi.example.com");
  EXPECT_FALSE(*prepare("a"));
  EXPECT_TRUE(world.run(reader.release(pod_with_claim(), "n-b")).ok());
  EXPECT_THAT(server.bodies[kClaim], HasSubstr(R"("volume.kubernetes.io/selected-node":"n-a")"))
      << "a release of another node has no effect";

  EXPECT_TRUE(world.run(reader.release(pod_with_claim(), "n-a")).ok());
  EXPECT_THAT(server.bodies[kClaim], Not(HasSubstr("selected-node")));
  EXPECT_THAT(server.bodies[kClaim], HasSubstr(R"("kept":"as it is")"));
  EXPECT_FALSE(*prepare("b"));
  EXPECT_THAT(server.bodies[kClaim], HasSubstr(R"("volume.kubernetes.io/selected-node":"n-b")"));
}

TEST_F(VolumesTest, AReleaseDoesNotChangeAClaimWithAVolume) {
  server.bodies[kClaim] = claim(R"("storageClassName":"local")");
  a_class("csi.example.com");
  EXPECT_FALSE(*prepare("a"));
  server.bodies[kClaim] = claim(R"("volumeName":"pv-1")", "Bound");
  EXPECT_TRUE(world.run(reader.release(pod_with_claim(), "n-a")).ok());
  EXPECT_EQ(writes(), 1U);
  server.bodies.erase(kClaim);
  EXPECT_TRUE(world.run(reader.release(pod_with_claim(), "n-a")).ok()) << "the claim was deleted";
}

TEST_F(VolumesTest, AClaimWithReadWriteOncePodIsReturned) {
  server.bodies[kClaim] =
      claim(R"("volumeName":"pv-1","accessModes":["ReadWriteOncePod"])", "Bound");
  server.bodies[kVolumes + "/pv-1"] = volume("pv-1", "a");
  EXPECT_THAT(of(pod_with_claim())->for_one_pod, ElementsAre("data"));
  EXPECT_THAT(world.run(reader.prepare(pod_with_claim(), node_in("a")))->for_one_pod,
              ElementsAre("data"));
}

TEST_F(VolumesTest, AnExistingVolumeIsAssignedToAClaimWithoutAProvisioner) {
  server.bodies[kClaim] = claim(R"("storageClassName":"local")");
  a_class("kubernetes.io/no-provisioner");
  server.bodies[kVolumes] = fmt::format(
      R"({{"metadata":{{}},"items":[{},{}]}})", volume("pv-a", "a"), volume("pv-c", "c"));
  server.bodies[kVolumes + "/pv-a"] = volume("pv-a", "a");
  const auto places = of(pod_with_claim());
  ASSERT_EQ(places->places.size(), 1U);
  EXPECT_TRUE(workload::reaches(places->places[0], node_in("c")));
  EXPECT_FALSE(workload::reaches(places->places[0], node_in("b")));
  EXPECT_TRUE(prepare("b").error().is(Kind::conflict));
  EXPECT_FALSE(*prepare("a"));
  EXPECT_THAT(server.bodies[kVolumes + "/pv-a"],
              HasSubstr(R"("namespace":"a","name":"data","uid":"c-1")"));
}

TEST_F(VolumesTest, AClaimThatChangedMeanwhileIsReadAgainAndNotOverwritten) {
  server.bodies[kClaim] = claim(R"("storageClassName":"local")");
  a_class("csi.example.com");
  EXPECT_TRUE(of(pod_with_claim()).ok());
  std::string& body = server.bodies[kClaim];
  body.replace(body.find(R"("resourceVersion":"5")"), 21, R"("resourceVersion":"6")");
  EXPECT_FALSE(*prepare("a"));
  EXPECT_THAT(server.bodies[kClaim], Not(HasSubstr("selected-node")));
  EXPECT_FALSE(*prepare("a"));
  EXPECT_THAT(server.bodies[kClaim], HasSubstr("selected-node"));
}

}  // namespace
}  // namespace bridge::scheduling
