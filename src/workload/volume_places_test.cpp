// SPDX-License-Identifier: Apache-2.0
#include "workload/volume_places.h"

#include "workload/testing.h"

#include <gtest/gtest.h>

namespace workload {
namespace {

using base::Kind;
using kube::NodeSelector;
using kube::PersistentVolume;
using kube::PersistentVolumeClaim;
using kube::StorageClass;
using testing::q;

const NodeSelector kZoneA{{{{{"zone", "In", {"a"}}}, {}}}};
const NodeSelector kZoneB{{{{{"zone", "In", {"b"}}}, {}}}};

PersistentVolumeClaim claim() {
  PersistentVolumeClaim it;
  it.metadata.namespace_ = "ns";
  it.metadata.name = "data";
  it.metadata.uid = kube::Uid("c");
  it.spec.storageClassName = "local";
  it.spec.accessModes = {"ReadWriteOnce"};
  it.spec.resources.requests = {{"storage", q("10Gi")}};
  return it;
}

PersistentVolume volume(const std::string& name, const std::string& size, NodeSelector nodes) {
  PersistentVolume it;
  it.metadata.name = name;
  it.spec.capacity = {{"storage", q(size)}};
  it.spec.accessModes = {"ReadWriteOnce", "ReadOnlyMany"};
  it.spec.storageClassName = "local";
  it.spec.nodeAffinity.emplace().required = std::move(nodes);
  it.status.phase = "Available";
  return it;
}

StorageClass waiting_class(const std::string& provisioner = "csi.example.com") {
  StorageClass it;
  it.provisioner = provisioner;
  it.volumeBindingMode = "WaitForFirstConsumer";
  return it;
}

kube::Node node_in(const std::string& zone) {
  kube::Node node;
  node.metadata.name = "n-" + zone;
  node.metadata.labels = {{"zone", zone}};
  return node;
}

TEST(VolumePlaces, ABoundClaimIsWhereItsVolumeIs) {
  PersistentVolumeClaim bound = claim();
  bound.spec.volumeName = "pv-1";
  const PersistentVolume there = volume("pv-1", "10Gi", kZoneA);
  const auto place = place_of({bound, &there});
  ASSERT_TRUE(place.ok() && place->has_value());
  EXPECT_EQ((*place)->nodes, kZoneA);
  EXPECT_EQ((*place)->volume, "volume pv-1 of claim data");

  PersistentVolume everywhere = there;
  everywhere.spec.nodeAffinity.reset();
  EXPECT_EQ(*place_of({bound, &everywhere}), std::nullopt);
}

TEST(VolumePlaces, AClaimWithoutAVolumeWaitsUnlessItWaitsForThePod) {
  const auto alone = place_of({claim()});
  ASSERT_FALSE(alone.ok());
  EXPECT_TRUE(alone.error().is(Kind::unavailable));
  StorageClass immediate;
  immediate.volumeBindingMode = "Immediate";
  EXPECT_TRUE(place_of({claim(), nullptr, &immediate}).error().is(Kind::unavailable));
  const StorageClass waiting = waiting_class();
  EXPECT_EQ(*place_of({claim(), nullptr, &waiting}), std::nullopt);
}

TEST(VolumePlaces, AVolumeToComeIsWhereItsClassAllows) {
  StorageClass picky = waiting_class();
  picky.allowedTopologies = {{{{"zone", {"a"}}, {"rack", {"r1", "r2"}}}}, {{{"zone", {"b"}}}}};
  const auto place = place_of({claim(), nullptr, &picky});
  EXPECT_EQ((*place)->nodes,
            (NodeSelector{{{{{"zone", "In", {"a"}}, {"rack", "In", {"r1", "r2"}}}, {}},
                           {{{"zone", "In", {"b"}}}, {}}}}));
}

TEST(VolumePlaces, AVolumeThatIsBeingMadeForANodeIsOnlyThere) {
  PersistentVolumeClaim chosen = claim();
  chosen.metadata.annotations[kSelectedNode] = "n-a";
  const StorageClass waiting = waiting_class();
  const auto place = place_of({chosen, nullptr, &waiting});
  ASSERT_TRUE(place->has_value());
  EXPECT_TRUE(reaches(**place, node_in("a")));
  EXPECT_FALSE(reaches(**place, node_in("b")));
}

TEST(VolumePlaces, WithoutAProvisionerThePlaceIsThatOfAFreeVolume) {
  const StorageClass local = waiting_class("kubernetes.io/no-provisioner");
  std::vector<PersistentVolume> all = {volume("small", "5Gi", kZoneB),
                                       volume("big", "100Gi", kZoneA),
                                       volume("right", "10Gi", kZoneA)};
  const PersistentVolumeClaim wanting = claim();
  const ClaimFacts facts{wanting, nullptr, &local, &all};
  EXPECT_TRUE(reaches(**place_of(facts), node_in("a")));
  EXPECT_FALSE(reaches(**place_of(facts), node_in("b"))) << "the existing volume is too small";
  ASSERT_NE(volume_for(facts, node_in("a")), nullptr);
  EXPECT_EQ(volume_for(facts, node_in("a"))->metadata.name, "right");
  EXPECT_EQ(volume_for(facts, node_in("b")), nullptr);

  all[1].spec.claimRef = {"ns", "data", kube::Uid("c")};
  EXPECT_EQ(volume_for(facts, node_in("a"))->metadata.name, "big")
      << "it is reserved for this claim";
  all.clear();
  EXPECT_FALSE(reaches(**place_of(facts), node_in("a")));
}

// Kubernetes binds the two, whatever other volumes are free.
TEST(VolumePlaces, AVolumeThatIsReservedForTheClaimIsTheOnlyOne) {
  const PersistentVolumeClaim wants = claim();
  const StorageClass none = waiting_class("kubernetes.io/no-provisioner");
  std::vector<PersistentVolume> all{volume("free", "10Gi", kZoneA),
                                    volume("meant", "10Gi", kZoneB)};
  all[1].spec.claimRef = {"ns", "data", kube::Uid()};
  const ClaimFacts facts{wants, nullptr, &none, &all};
  const auto place = place_of(facts);
  ASSERT_TRUE(place.ok() && place->has_value());
  EXPECT_FALSE(reaches(**place, node_in("a")));
  EXPECT_TRUE(reaches(**place, node_in("b")));
  EXPECT_EQ(volume_for(facts, node_in("a")), nullptr);
  EXPECT_EQ(volume_for(facts, node_in("b")), &all[1]);
}

TEST(VolumePlaces, AVolumeServesAClaimOnlyIfAllOfItFits) {
  const StorageClass local = waiting_class("kubernetes.io/no-provisioner");
  const auto serves = [&](const PersistentVolume& offered) {
    const std::vector<PersistentVolume> all = {offered};
    const PersistentVolumeClaim wanting = claim();
    return volume_for({wanting, nullptr, &local, &all}, node_in("a")) != nullptr;
  };
  const PersistentVolume good = volume("v", "10Gi", kZoneA);
  EXPECT_TRUE(serves(good));
  PersistentVolume bad = good;
  bad.spec.storageClassName = "other";
  EXPECT_FALSE(serves(bad));
  bad = good;
  bad.spec.volumeMode = "Block";
  EXPECT_FALSE(serves(bad));
  bad = good;
  bad.spec.accessModes = {"ReadOnlyMany"};
  EXPECT_FALSE(serves(bad));
  bad = good;
  bad.status.phase = "Released";
  EXPECT_FALSE(serves(bad));
  bad = good;
  bad.spec.claimRef = {"ns", "other", kube::Uid("o")};
  EXPECT_FALSE(serves(bad));
  bad = good;
  bad.spec.claimRef = {"ns", "data", kube::Uid("of-a-namesake")};
  EXPECT_FALSE(serves(bad));
  bad = good;
  bad.metadata.deletionTimestamp = "2026-11-16T05:00:00Z";
  EXPECT_FALSE(serves(bad));
}

}  // namespace
}  // namespace workload
