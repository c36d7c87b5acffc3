// SPDX-License-Identifier: Apache-2.0
#include "kube/cache/cache.h"

#include "kube/api/config_map.h"
#include "kube/cache/expectations.h"
#include "kube/testing/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kube::inline cache {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ModelWorld;

struct CacheTest : ::testing::Test {
  void add_namespace(std::string_view name) {
    world.send(
        "POST", "/api/v1/namespaces", fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
  }
  void add_map(std::string_view ns, std::string_view name, std::string_view metadata = "") {
    world.send(
        "POST",
        fmt::format("/api/v1/namespaces/{}/configmaps", ns),
        fmt::format(R"({{"metadata":{{"name":"{}"{}}},"data":{{"x":"1"}}}})", name, metadata));
  }
  template <class T>
  void follow(Cache<T>& cache) {
    world.work.spawn("cache", cache.run());
    world.wait_until([&] { return cache.synced(); });
  }
  template <class T>
  static std::vector<ObjectKey> keys(const Cache<T>& cache) {
    std::vector<ObjectKey> all;
    for (const auto& [key, object] : cache.store().objects()) all.push_back(key);
    return all;
  }

  ModelWorld world;
};

TEST_F(CacheTest, SeveralNamespacesAreOneStore) {
  for (const char* name : {"a", "b", "c"}) add_namespace(name);
  for (const char* name : {"a", "b", "c"}) add_map(name, "m");
  auto& cache = world.keep<Cache<ConfigMap>>(world.access, CacheOptions{{"a", "c"}});
  EXPECT_FALSE(cache.synced());
  follow(cache);
  EXPECT_THAT(keys(cache), ElementsAre(ObjectKey{"a", "m"}, ObjectKey{"c", "m"}));
  add_map("c", "n");
  add_map("b", "n");
  world.send("DELETE", "/api/v1/namespaces/a/configmaps/m");
  world.wait_until([&] { return cache.find({"c", "n"}) && !cache.find({"a", "m"}); });
  EXPECT_THAT(keys(cache), ElementsAre(ObjectKey{"c", "m"}, ObjectKey{"c", "n"}));
}

TEST_F(CacheTest, ANewListOfOneNamespaceDoesNotAffectTheOthers) {
  for (const char* name : {"a", "b"}) add_namespace(name);
  for (const char* name : {"a", "b"}) add_map(name, "m");
  Store<ConfigMap> store;
  Sink& a = store.part("a");
  Sink& b = store.part("b");
  json::Parser parser;
  const auto list = [&](Sink& sink, std::vector<std::string> objects) {
    sink.list_begins();
    for (const std::string& object : objects) sink.list_item(*parser.parse(object));
    sink.list_ends();
  };
  std::vector<std::string> gone;
  store.on_change([&](const ObjectKey& key, const auto&, const auto& after) {
    if (!after) gone.push_back(key.to_string());
  });
  list(a, {R"({"metadata":{"namespace":"a","name":"m","uid":"1","resourceVersion":"1"}})"});
  EXPECT_FALSE(store.synced());
  list(b, {R"({"metadata":{"namespace":"b","name":"m","uid":"2","resourceVersion":"2"}})"});
  EXPECT_TRUE(store.synced());
  list(a, {});
  EXPECT_THAT(gone, ElementsAre("a/m"));
  EXPECT_TRUE(store.find({"b", "m"}));
}

TEST_F(CacheTest, AKindMayAppearAndDisappear) {
  auto& widgets =
      world.keep<Cache<DynamicObject>>(world.access,
                                       CacheOptions{.may_be_absent = true},
                                       resource_named("example.com/v1", "Widget", "widgets"));
  follow(widgets);  // a kind that is not served counts as a complete empty list
  EXPECT_FALSE(widgets.store().served());

  world.server.add_collection({"example.com", "v1", "widgets", "Widget"});
  world.send("POST",
             "/apis/example.com/v1/namespaces/default/widgets",
             R"({"metadata":{"name":"w"},"spec":{"size":3}})");
  world.wait_until([&] { return widgets.store().served(); });
  ASSERT_TRUE(widgets.find({"default", "w"}));
  EXPECT_EQ(widgets.find({"default", "w"})->kind, "Widget");

  Sink& feed = widgets.store();
  feed.not_served();  // as the reflector does when the server answers 404
  EXPECT_TRUE(keys(widgets).empty());
  EXPECT_FALSE(widgets.store().served());
}

TEST_F(CacheTest, A404OfARequiredKindIsAFailure) {
  auto& widgets = world.keep<Cache<DynamicObject>>(
      world.access, CacheOptions(), resource_named("example.com/v1", "Widget", "widgets"));
  world.work.spawn("cache", widgets.run());
  world.pass(1min);
  EXPECT_FALSE(widgets.synced());
}

TEST_F(CacheTest, ObjectsAreFoundByOwnerAndByLabel) {
  const auto owned_by = [](std::string_view uid) {
    return fmt::format(R"(,"labels":{{"app":"x"}},"ownerReferences":[{{"apiVersion":"v1",)"
                       R"("kind":"Pod","name":"p","uid":"{}"}}])",
                       uid);
  };
  add_map("default", "a", owned_by("u1"));
  add_map("default", "b", owned_by("u1"));
  add_map("default", "c", owned_by("u2"));
  auto& cache = world.keep<Cache<ConfigMap>>(world.access);
  const Index<ConfigMap>& by_owner = cache.add_index(owner_uids<ConfigMap>);
  const Index<ConfigMap>& by_app = cache.add_index(label_value<ConfigMap>("app"));
  follow(cache);
  EXPECT_THAT(by_owner.find("u1"),
              ElementsAre(ObjectKey{"default", "a"}, ObjectKey{"default", "b"}));
  EXPECT_EQ(by_app.find("x").size(), 3U);
  world.send("PATCH",
             "/api/v1/namespaces/default/configmaps/a",
             R"({"metadata":{"ownerReferences":null}})");
  world.send("DELETE", "/api/v1/namespaces/default/configmaps/c");
  world.wait_until([&] { return by_app.find("x").size() == 2; });
  EXPECT_THAT(by_owner.find("u1"), ElementsAre(ObjectKey{"default", "b"}));
  EXPECT_TRUE(by_owner.find("u2").empty());
}

TEST_F(CacheTest, OfSecretsOnlyTheMetadataIsRequested) {
  auto& secrets = world.keep<Cache<PartialObject>>(world.access, CacheOptions(), kSecrets);
  follow(secrets);
  world.wait_until([&] { return world.transport.requests.size() >= 2; });
  EXPECT_THAT(std::string(*world.transport.requests[0].header("Accept")),
              HasSubstr("as=PartialObjectMetadataList;"));
  EXPECT_THAT(std::string(*world.transport.requests[1].header("Accept")),
              HasSubstr("as=PartialObjectMetadata;"));
}

// --- expectations

ObjectMeta meta(std::string_view name, std::string_view uid) {
  ObjectMeta metadata;
  metadata.name = name;
  metadata.namespace_ = "a";
  metadata.uid = Uid(std::string(uid));
  return metadata;
}
std::string text(std::string_view name, std::string_view uid, int version) {
  return fmt::format(
      R"({{"metadata":{{"namespace":"a","name":"{}","uid":"{}","resourceVersion":"{}"}}}})",
      name,
      uid,
      version);
}

struct ExpectationsTest : ::testing::Test {
  void changed(std::string_view name, std::string_view uid) {
    store.changed(*parser.parse(text(name, uid, ++version)));
  }
  void deleted(std::string_view name, std::string_view uid) {
    store.deleted(*parser.parse(text(name, uid, ++version)));
  }
  net::testing::VirtualWorld world;
  Store<ConfigMap> store;
  Expectations<ConfigMap> expectations{world.loop, store, 5min};
  json::Parser parser;
  int version = 0;
  const ObjectKey owner{"a", "owner"};
};

TEST_F(ExpectationsTest, ACreateIsPendingUntilTheStoreShowsIt) {
  expectations.created(owner, meta("x", "1"));
  EXPECT_TRUE(expectations.pending(owner));
  EXPECT_FALSE(expectations.pending({"a", "another"}));
  changed("x", "1");
  EXPECT_FALSE(expectations.pending(owner));
}

TEST_F(ExpectationsTest, AWatchThatOvertakesTheAnswerLeavesNothingPending) {
  changed("x", "1");
  expectations.created(owner, meta("x", "1"));
  EXPECT_FALSE(expectations.pending(owner));
  changed("y", "2");
  deleted("y", "2");
  expectations.created(owner, meta("y", "2"));
  EXPECT_FALSE(expectations.pending(owner));
}

TEST_F(ExpectationsTest, ADeleteIsPendingUntilThatObjectIsGone) {
  changed("x", "1");
  expectations.deleted(owner, meta("x", "1"));
  EXPECT_TRUE(expectations.pending(owner));
  changed("x", "2");  // another object of the same name
  EXPECT_FALSE(expectations.pending(owner));
}

TEST_F(ExpectationsTest, PendingEndsAfterATimeoutIfTheWatchShowsNothing) {
  expectations.created(owner, meta("x", "1"));
  world.loop.run_virtual(world.clock, world.loop.in(5min));
  EXPECT_FALSE(expectations.pending(owner));
}

}  // namespace
}  // namespace kube::inline cache
