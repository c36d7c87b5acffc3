// SPDX-License-Identifier: Apache-2.0
// The example on the model of the API server, on virtual time.
#include "copier.h"

#include "kube/api/conditions.h"
#include "kube/testing/model.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace example {
namespace {

using namespace std::chrono_literals;

const std::string kCopies = "/apis/example.com/v1/namespaces/default/configmapcopies";
const std::string kMaps = "/api/v1/namespaces/default/configmaps";

struct CopierTest : ::testing::Test {
  CopierTest() {
    world.server.add_collection({"example.com", "v1", "configmapcopies", "ConfigMapCopy"});
    for (const char* name : {"one", "two"}) add_namespace(name, R"("team":"a")");
    add_namespace("other", "");
    world.work.spawn("copies", copier.copies().run());
    world.work.spawn("sources", copier.sources().run());
    world.work.spawn("namespaces", copier.namespaces().run());
    world.work.spawn("made", copier.made().run());
    world.work.spawn("controller", copier.controller().run());
  }
  ~CopierTest() override { world.finish(); }
  void add_namespace(std::string_view name, std::string_view labels) {
    world.send("POST",
               "/api/v1/namespaces",
               fmt::format(R"({{"metadata":{{"name":"{}","labels":{{{}}}}}}})", name, labels));
  }
  void add_copy() {
    world.send("POST",
               kCopies,
               R"({"metadata":{"name":"c"},"spec":{"configMap":"s","namespaceLabel":"team"}})");
  }
  void add_source() { world.send("POST", kMaps, R"({"metadata":{"name":"s"},"data":{"x":"1"}})"); }
  std::string value_in(std::string ns) const {
    const json::Value* map = world.find("configmaps", std::move(ns), "c");
    return map == nullptr ? "" : std::string(models::kube::text_at(*map, {"data", "x"}));
  }
  kube::Condition ready() const {
    const json::Value* copy = world.find("configmapcopies", "default", "c");
    if (copy == nullptr) return {};
    const kube::Conditions all = kube::read_conditions(*copy);
    const kube::Condition* found = kube::find_condition(all, "Ready");
    return found == nullptr ? kube::Condition() : *found;
  }

  kube::testing::ModelWorld world;
  Copier copier{world.access};
};

TEST_F(CopierTest, CopiesIntoLabelledNamespacesAndSetsReady) {
  add_copy();
  world.wait_until([&] { return ready().reason == "NoSource"; });
  EXPECT_EQ(ready().status, "False");
  add_source();
  world.wait_until([&] { return ready().status == "True"; });
  EXPECT_EQ(value_in("one"), "1");
  EXPECT_EQ(value_in("two"), "1");
  EXPECT_EQ(value_in("other"), "");
  EXPECT_EQ(ready().message, "copied to 2 namespaces");
  EXPECT_EQ(ready().observedGeneration, 1);
}

TEST_F(CopierTest, FollowsTheSourceAndTheNamespaces) {
  add_copy();
  add_source();
  world.wait_until([&] { return value_in("two") == "1"; });
  world.send("PATCH", kMaps + "/s", R"({"data":{"x":"2"}})");
  world.wait_until([&] { return value_in("one") == "2" && value_in("two") == "2"; });
  world.send("PATCH", "/api/v1/namespaces/two", R"({"metadata":{"labels":{"team":null}}})");
  world.send("PATCH", "/api/v1/namespaces/other", R"({"metadata":{"labels":{"team":"b"}}})");
  world.wait_until([&] { return value_in("other") == "2" && value_in("two").empty(); });
  // A user changes a copy: the controller restores it.
  world.send("PATCH", "/api/v1/namespaces/one/configmaps/c", R"({"data":{"x":"broken"}})");
  world.wait_until([&] { return value_in("one") == "2"; });
}

TEST_F(CopierTest, WritesNothingWhileNothingDiffers) {
  add_copy();
  add_source();
  world.wait_until([&] { return ready().status == "True"; });
  world.pass(1min);
  const std::size_t writes = world.transport.writes();
  world.send("PATCH", "/api/v1/namespaces/other", R"({"metadata":{"labels":{"x":"y"}}})");
  world.pass(5min);
  EXPECT_EQ(world.transport.writes(), writes);
}

TEST_F(CopierTest, TheCopyInTheSameNamespaceIsOwned) {
  world.send("PATCH", "/api/v1/namespaces/default", R"({"metadata":{"labels":{"team":"a"}}})");
  add_copy();
  add_source();
  world.wait_until([&] { return value_in("default") == "1"; });
  const json::Value* own = world.find("configmaps", "default", "c");
  EXPECT_EQ(models::kube::array_at(*own, {"metadata", "ownerReferences"}).size(), 1U);
  world.wait_until([&] { return value_in("one") == "1"; });
  const json::Value* across = world.find("configmaps", "one", "c");
  EXPECT_TRUE(models::kube::array_at(*across, {"metadata", "ownerReferences"}).empty());
}

TEST_F(CopierTest, DeletingTheObjectDeletesAllCopies) {
  add_copy();
  add_source();
  world.wait_until([&] { return ready().status == "True"; });
  world.send("DELETE", kCopies + "/c");
  EXPECT_NE(world.find("configmapcopies", "default", "c"), nullptr);  // the finalizer keeps it
  world.wait_until([&] { return world.find("configmapcopies", "default", "c") == nullptr; });
  EXPECT_EQ(value_in("one"), "");
  EXPECT_EQ(value_in("two"), "");
  EXPECT_NE(world.find("configmaps", "default", "s"), nullptr);
}

}  // namespace
}  // namespace example
