// SPDX-License-Identifier: Apache-2.0
#include "operator/process/stores.h"

#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using kube::ObjectKey;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ProcessWorld;
using ::testing::UnorderedElementsAre;

using StoresTest = testing::StoresTest;

std::vector<std::string> names(const std::vector<Stores::ObjectPointer>& objects) {
  std::vector<std::string> found;
  for (const auto& object : objects) found.push_back(object->metadata.name);
  return found;
}

TEST_F(StoresTest, ANodeSetBelongsToTheClusterThatItNames) {
  world.add_cluster("a");
  world.add_cluster("b");
  world.add_node_set("of-a", R"({"clusterName":"a"})");
  world.add_node_set("of-none");
  fill();
  EXPECT_THAT(names(stores.node_sets_of({"default", "a"})), ElementsAre("of-a"));
  EXPECT_THAT(names(stores.node_sets_of({"default", "b"})), IsEmpty());
}

TEST_F(StoresTest, ANodeSetWithoutANameBelongsToTheOnlyClusterOfItsNamespace) {
  world.add_namespace("other");
  world.add_cluster("a");
  world.add_cluster("b", "{}", "other");
  world.add_node_set("set");
  fill();
  EXPECT_THAT(names(stores.node_sets_of({"default", "a"})), ElementsAre("set"));
  world.add_cluster("second");
  settle_down();
  EXPECT_THAT(names(stores.node_sets_of({"default", "a"})), IsEmpty());
}

TEST_F(StoresTest, OnlyLabelledObjectsAreKept) {
  world.add_config_map("ours", "a", "{}");
  world.send("POST", "/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"other"}})");
  world.add_pod("a-controller-0", "a", "controller");
  fill();
  EXPECT_NE(stores.find(kube::kConfigMaps, {"default", "ours"}), nullptr);
  EXPECT_EQ(stores.find(kube::kConfigMaps, {"default", "other"}), nullptr);
  EXPECT_EQ(stores.pods_of({"default", "a"}).size(), 1U);
  EXPECT_THAT(stores.pods_of({"default", "b"}), IsEmpty());
}

TEST_F(StoresTest, OfSecretsOnlyTheMetadataIsRequested) {
  world.add_jwt_key("a");
  fill();
  EXPECT_NE(stores.secrets().find({"default", "a-rest-jwt-key"}), nullptr);
  for (const auto& request : world.transport.requests) {
    if (!request.target.contains("/secrets")) continue;
    EXPECT_TRUE(request.header("Accept")->contains("PartialObjectMetadata")) << request.target;
  }
}

TEST_F(StoresTest, AnyChangeOfAClusterRunsItsKey) {
  std::set<ObjectKey> runs;
  const auto count = [&](ObjectKey key) -> net::Task<base::Result<kube::Requeue>> {
    runs.insert(key);
    co_return kube::Requeue::on_change();
  };
  auto& controller = world.keep<kube::Controller<>>(
      world.loop, kube::ControllerOptions{"test"}, count, base::Log());
  stores.notify(controller);
  world.add_cluster("a");
  fill();
  world.work.spawn("controller", controller.run());
  settle_down();
  const auto runs_after = [&](const std::function<void()>& change) {
    runs.clear();
    change();
    settle_down();
    return runs;
  };
  const ObjectKey a{"default", "a"};
  EXPECT_THAT(runs_after([&] { world.add_config_map("m", "a", "{}"); }), ElementsAre(a));
  EXPECT_THAT(runs_after([&] { world.add_pod("p", "a", "worker"); }), ElementsAre(a));
  EXPECT_THAT(runs_after([&] { world.add_node_set("s"); }), ElementsAre(a));
  EXPECT_THAT(runs_after([&] { world.add_jwt_key("a"); }), ElementsAre(a));
  EXPECT_THAT(runs_after([&] { world.add_cluster("b"); }),
              UnorderedElementsAre(a, ObjectKey{"default", "b"}));
  EXPECT_THAT(runs_after([&] { world.delete_cluster("b"); }),
              UnorderedElementsAre(a, ObjectKey{"default", "b"}));
}

TEST(Stores, AreFilledWithoutTheCustomResourceDefinitions) {
  kube::testing::ModelWorld world;
  world.server.add_collection({"policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget"});
  world.server.add_collection({"networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy"});
  auto& stores = world.keep<Stores>(world.access, std::vector<std::string>{});
  stores.start(world.work);
  world.wait_until([&] { return stores.synced(); });
  EXPECT_TRUE(stores.synced());
  EXPECT_FALSE(stores.clusters().store().served());
}

TEST(Stores, ReadOnlyTheWatchedNamespaces) {
  ProcessWorld world;
  for (const char* ns : {"one", "two", "three"}) {
    world.add_namespace(ns);
    world.add_cluster("c", "{}", ns);
  }
  auto& stores = world.keep<Stores>(world.access, std::vector<std::string>{"one", "three"});
  stores.start(world.work);
  world.wait_until([&] { return stores.synced(); });
  EXPECT_EQ(stores.clusters().store().objects().size(), 2U);
  EXPECT_EQ(stores.clusters().find({"two", "c"}), nullptr);
}

}  // namespace
}  // namespace slurmop::process
