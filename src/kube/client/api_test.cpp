// SPDX-License-Identifier: Apache-2.0
#include "kube/client/api.h"

#include "kube/api/conditions.h"
#include "kube/api/config_map.h"
#include "kube/api/pod.h"
#include "kube/client/needs_apply.h"
#include "kube/client/prune.h"
#include "kube/client/version_patch.h"
#include "kube/testing/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kube::inline client {
namespace {

using base::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ModelWorld;

struct ApiTest : ::testing::Test {
  ConfigMap map(std::string name, std::map<std::string, std::string> data) {
    ConfigMap object;
    object.metadata.name = std::move(name);
    object.metadata.namespace_ = "default";
    object.metadata.labels["made-by"] = "me";
    object.data = std::move(data);
    return object;
  }

  ModelWorld world;
  Api<ConfigMap> maps{world.loop, world.client};
  Api<DynamicObject> any_maps{world.loop, world.client, kConfigMaps};
};

TEST_F(ApiTest, AnAppliedObjectIsReadBackWithItsType) {
  const auto made = world.run(maps.apply(map("a", {{"x", "1"}}), {"me"}));
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_FALSE(made->metadata.uid.value().empty());
  const auto read = world.run(maps.get({"default", "a"}));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->data.at("x"), "1");
  EXPECT_EQ(read->metadata.labels.at("made-by"), "me");
}

TEST_F(ApiTest, AFieldThatIsNoLongerAppliedIsRemoved) {
  (void)world.run(maps.apply(map("a", {{"x", "1"}, {"y", "2"}}), {"me"}));
  const auto changed = world.run(maps.apply(map("a", {{"y", "2"}}), {"me"}));
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(changed->data, (std::map<std::string, std::string>{{"y", "2"}}));
}

TEST_F(ApiTest, AFieldOfAnotherManagerIsAConflictUnlessForced) {
  (void)world.run(maps.apply(map("a", {{"x", "1"}}), {"one"}));
  const auto refused = world.run(maps.apply(map("a", {{"x", "2"}}), {"two"}));
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(refused.error().is(Kind::conflict));
  EXPECT_THAT(refused.error().message(), HasSubstr("apply configmaps default/a"));
  EXPECT_THAT(refused.error().message(), HasSubstr("conflict with \"one\": .data.x"));
  EXPECT_TRUE(world.run(maps.apply(map("a", {{"x", "2"}}), {"two", Conflicts::force})).ok());
}

TEST_F(ApiTest, ADryRunStoresNothing) {
  EXPECT_TRUE(world.run(maps.apply(map("a", {}), {"me", Conflicts::refuse, DryRun::yes})).ok());
  const auto found = world.run(maps.find({"default", "a"}));
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(found->has_value());
}

TEST_F(ApiTest, AnApplyWithoutNameOrManagerIsNotSent) {
  EXPECT_TRUE(world.run(maps.apply(map("", {}), {"me"})).error().is(Kind::invalid));
  EXPECT_TRUE(world.run(maps.apply(map("a", {}), {""})).error().is(Kind::invalid));
  EXPECT_TRUE(world.transport.requests.empty());
}

TEST_F(ApiTest, AReplaceIsConditionalOnTheVersionInItsMetadata) {
  auto object = *world.run(maps.create(map("a", {{"x", "1"}})));
  object.data["x"] = "2";
  ASSERT_TRUE(world.run(maps.replace(object)).ok());
  object.data["x"] = "3";  // still the old version
  EXPECT_TRUE(world.run(maps.replace(object)).error().is(Kind::conflict));
}

TEST_F(ApiTest, ADeleteWithAnotherUidIsRejected) {
  (void)world.run(maps.create(map("a", {})));
  DeleteOptions options;
  options.uid = Uid("00000000-0000-0000-0000-000000000000");
  EXPECT_TRUE(world.run(maps.remove({"default", "a"}, options)).error().is(Kind::conflict));
  EXPECT_TRUE(world.run(maps.remove({"default", "a"})).ok());
  EXPECT_TRUE(world.run(maps.get({"default", "a"})).error().is(Kind::not_found));
}

TEST_F(ApiTest, ACollectionIsDeletedByItsLabelInOneCall) {
  for (const char* name : {"a", "b"}) (void)world.run(maps.create(map(name, {})));
  world.send("POST", "/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"other"}})");
  world.transport.requests.clear();
  ASSERT_TRUE(world.run(maps.remove_all({"default", "made-by=me"})).ok());
  EXPECT_EQ(world.transport.requests.size(), 1U);
  const auto left = world.run(maps.list({"default"}));
  ASSERT_TRUE(left.ok());
  ASSERT_EQ(left->size(), 1U);
  EXPECT_EQ(left->front().metadata.name, "other");
}

TEST_F(ApiTest, AListIsReadPageByPage) {
  for (int i = 0; i < 1203; ++i)
    world.send("POST",
               "/api/v1/namespaces/default/configmaps",
               fmt::format(R"({{"metadata":{{"name":"m{}"}}}})", i));
  const auto all = world.run(maps.list({"default"}));
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->size(), 1203U);
  EXPECT_EQ(world.transport.requests.size(), 3U);
}

TEST_F(ApiTest, AListEndsAfterAsManyObjectsAsWereAskedFor) {
  for (const char* name : {"a", "b", "c"}) (void)world.run(maps.create(map(name, {})));
  world.transport.requests.clear();
  const auto one = world.run(maps.list({.ns = "default", .at_most = 1}));
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->size(), 1U);
  ASSERT_EQ(world.transport.requests.size(), 1U);
  EXPECT_THAT(world.transport.requests.front().target, HasSubstr("?limit=1"));
  const auto paged = world.run(maps.list({.ns = "default", .page_size = 2}));
  ASSERT_TRUE(paged.ok());
  EXPECT_EQ(paged->size(), 3U);
  EXPECT_EQ(world.transport.requests.size(), 3U);
}

TEST_F(ApiTest, AnObjectThatDoesNotFitFailsOnlyTheStrictList) {
  (void)world.run(maps.create(map("fits", {})));
  world.send("POST",
             "/api/v1/namespaces/default/configmaps",
             R"({"metadata":{"name":"odd","labels":{"l":"v"}},"data":{"x":7}})");
  const auto strict = world.run(maps.list({"default"}));
  ASSERT_FALSE(strict.ok());
  EXPECT_THAT(strict.error().message(), HasSubstr("list configmaps default"));
  const auto listed = world.run(maps.list_readable({"default"}));
  ASSERT_TRUE(listed.ok());
  ASSERT_EQ(listed->objects.size(), 1U);
  EXPECT_EQ(listed->objects.front().metadata.name, "fits");
  ASSERT_EQ(listed->unreadable.size(), 1U);
  EXPECT_EQ(listed->unreadable.front().object.metadata.name, "odd");
  EXPECT_EQ(listed->unreadable.front().object.metadata.label("l"), "v");
  EXPECT_TRUE(listed->unreadable.front().error.is(Kind::protocol));
}

TEST_F(ApiTest, TheObjectsOfAListNameTheirType) {
  (void)world.run(maps.create(map("a", {})));
  const auto listed = world.run(any_maps.list({"default"}));
  ASSERT_TRUE(listed.ok());
  EXPECT_EQ(listed->front().kind, "ConfigMap");
  EXPECT_EQ(listed->front().apiVersion, "v1");
}

TEST_F(ApiTest, AnAnswerWithoutItemsIsNoEmptyList) {
  json::Parser parser;
  EXPECT_TRUE(check_list(*parser.parse("{}")).error().is(Kind::protocol));
  EXPECT_TRUE(check_list(*parser.parse("7")).error().is(Kind::protocol));
  EXPECT_TRUE(check_list(*parser.parse(R"({"items":[]})")).ok());
  EXPECT_TRUE(check_list(*parser.parse(R"({"kind":"PodList","items":null})")).ok());
}

TEST_F(ApiTest, AnAnswerThatDoesNotFitNamesTheCall) {
  world.send("POST",
             "/api/v1/namespaces/default/configmaps",
             R"({"metadata":{"name":"odd"},"data":{"x":7}})");
  const auto read = world.run(maps.get({"default", "odd"}));
  ASSERT_FALSE(read.ok());
  EXPECT_TRUE(read.error().is(Kind::protocol));
  EXPECT_THAT(read.error().message(),
              HasSubstr("get configmaps default/odd: cannot read the answer"));
}

TEST_F(ApiTest, ADeadlineHoldsForAllCalls) {
  const auto late = maps.until(world.loop.now() - std::chrono::seconds(1));
  EXPECT_FALSE(world.run(late.get({"default", "a"})).ok());
  EXPECT_TRUE(world.run(late.within(std::chrono::seconds(5)).find({"default", "a"})).ok());
}

TEST_F(ApiTest, APatchOfAnotherVersionIsAConflict) {
  const auto made = world.run(maps.create(map("a", {{"x", "1"}})));
  ASSERT_TRUE(made.ok());
  const auto patch_of = [&](const char* value) {
    json::JsonPatch patch = patch_of_version(made->metadata);
    patch.replace(json::pointer_text({"data", "x"}), value);
    return std::move(patch).operations();
  };
  const std::string tested = made->metadata.resourceVersion;
  const ObjectKey key{"default", "a"};
  const auto written = world.run(maps.patch_tested(key, tested, patch_of("2")));
  ASSERT_TRUE(written.ok()) << written.error().to_string();
  EXPECT_EQ(written->data.at("x"), "2");
  EXPECT_TRUE(world.run(maps.patch_tested(key, tested, patch_of("3"))).error().is(Kind::conflict));
  // What is invalid in itself stays so.
  json::JsonPatch nonsense = patch_of_version(written->metadata);
  nonsense.replace(json::pointer_text({"data", "none"}), "x");
  EXPECT_TRUE(world
                  .run(maps.patch_tested(
                      key, written->metadata.resourceVersion, std::move(nonsense).operations()))
                  .error()
                  .is(Kind::invalid));
}

TEST_F(ApiTest, ADeletedObjectThatAFinalizerKeepsIsReturned) {
  world.send("POST",
             "/api/v1/namespaces/default/configmaps",
             R"({"metadata":{"name":"kept","finalizers":["example.com/f"]}})");
  const auto kept = world.run(maps.remove({"default", "kept"}));
  ASSERT_TRUE(kept.ok());
  ASSERT_TRUE(kept->has_value());
  EXPECT_TRUE((*kept)->metadata.deleting());
  (void)world.run(maps.create(map("a", {})));
  const auto gone = world.run(maps.remove({"default", "a"}));
  ASSERT_TRUE(gone.ok());
  EXPECT_FALSE(gone->has_value());
}

TEST_F(ApiTest, AnObjectThatWasReadWholeCanBeReplaced) {
  (void)world.run(maps.create(map("a", {{"x", "1"}})));
  auto whole = world.run(any_maps.get({"default", "a"}));
  ASSERT_TRUE(whole.ok());
  json::apply_merge_patch(whole->content, json::Object{{"data", json::Object{{"x", "2"}}}});
  ASSERT_TRUE(world.run(any_maps.replace(*whole)).ok());
  EXPECT_EQ(world.run(maps.get({"default", "a"}))->data.at("x"), "2");
  EXPECT_TRUE(world.run(any_maps.replace(*whole)).error().is(Kind::conflict));
}

TEST_F(ApiTest, AStatusIsAppliedSeparately) {
  world.server.add_collection({"example.com", "v1", "widgets", "Widget"});
  const Api<DynamicObject> widgets(
      world.loop, world.client, resource_named("example.com/v1", "Widget", "widgets"));
  const json::Object metadata{{"name", "w"}, {"namespace", "default"}};
  ASSERT_TRUE(world.run(widgets.create({{"metadata", metadata}, {"spec", json::Object{}}})).ok());
  Conditions conditions;
  set_condition(conditions, {"Ready", "True", "Done", ""}, world.clock.wall());
  const json::Object body{{"metadata", metadata},
                          {"status", json::Object{{"conditions", encode_conditions(conditions)}}}};
  const auto written = world.run(widgets.status().apply(body, {"me"}));
  ASSERT_TRUE(written.ok()) << written.error().to_string();
  EXPECT_EQ(written->kind, "Widget");
  EXPECT_TRUE(is_true(read_conditions(written->content), "Ready"));
  EXPECT_FALSE(needs_apply(written->content, body, "me", "status"));
}

// Service, Role, RoleBinding, NetworkPolicy, PodDisruptionBudget, CronJob, CustomResourceDefinition.
TEST_F(ApiTest, AKindWithoutAStructIsAppliedReadAndComparedAsADynamicObject) {
  world.server.add_collection({"rbac.authorization.k8s.io", "v1", "roles", "Role"});
  world.server.add_collection({"policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget"});
  const json::Object metadata{{"name", "x"}, {"namespace", "default"}};
  const struct {
    const Resource& resource;
    json::Object desired;
    std::vector<std::string> place;
    std::string value;
  } kRows[] = {
      {kServices,
       {{"metadata", metadata},
        {"spec",
         json::Object{{"clusterIP", "None"},
                      {"ports", json::Array{json::Object{{"name", "rest"}, {"port", 6820}}}}}}},
       {"spec", "clusterIP"},
       "None"},
      {kRoles,
       {{"metadata", metadata},
        {"rules", json::Array{json::Object{{"resources", json::Array{"pods"}}}}}},
       {"rules", "0", "resources", "0"},
       "pods"},
      {kPodDisruptionBudgets,
       {{"metadata", metadata}, {"spec", json::Object{{"maxUnavailable", "50%"}}}},
       {"spec", "maxUnavailable"},
       "50%"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.resource.plural);
    const Api<DynamicObject> api(world.access, row.resource);
    EXPECT_TRUE(needs_apply(json::Object{}, row.desired, "me"));
    ASSERT_TRUE(world.run(api.apply(row.desired, {"me"})).ok());
    const auto live = world.run(api.get({"default", "x"}));
    ASSERT_TRUE(live.ok()) << live.error().to_string();
    EXPECT_EQ(live->kind, row.resource.kind);
    EXPECT_FALSE(needs_apply(live->content, row.desired, "me"));
    const json::Value* value = json::find(live->content, row.place);
    ASSERT_NE(value, nullptr);
    EXPECT_EQ(*value->as_string(), row.value);
  }
}

TEST_F(ApiTest, AnEvictedPodIsDeleted) {
  world.send("POST",
             "/api/v1/namespaces/default/pods",
             R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i:1"}]}})");
  const Api<Pod> pods(world.loop, world.client);
  ASSERT_TRUE(world.run(pods.evict({"default", "p"})).ok());
  EXPECT_EQ(world.find("pods", "default", "p"), nullptr);
}

TEST_F(ApiTest, APodIsBoundOnceAndOnlyAsItWasMeant) {
  world.send("POST",
             "/api/v1/namespaces/default/pods",
             R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i:1"}]}})");
  const Api<Pod> pods(world.loop, world.client);
  const ObjectKey key{"default", "p"};
  Binding binding{NodeName("n1"), Uid("another"), {}, {{"a", "b"}}};
  EXPECT_TRUE(world.run(pods.bind(key, binding)).error().is(Kind::conflict));
  binding.uid = world.run(pods.get(key))->metadata.uid;
  ASSERT_TRUE(world.run(pods.bind(key, binding)).ok());
  const auto bound = world.run(pods.get(key));
  EXPECT_EQ(bound->spec.nodeName, "n1");
  EXPECT_EQ(bound->metadata.annotation("a"), "b");
  const auto again = world.run(pods.bind(key, binding));
  ASSERT_FALSE(again.ok());
  EXPECT_THAT(again.error().message(), HasSubstr("create binding of pods default/p"));
}

// --- needs_apply

TEST_F(ApiTest, NothingNeedsToBeAppliedTwice) {
  const json::Object desired = encode_object(map("a", {{"x", "1"}}));
  EXPECT_TRUE(needs_apply(json::Object{}, desired, "me"));
  const auto live = world.run(any_maps.apply(desired, {"me"}));
  ASSERT_TRUE(live.ok());
  EXPECT_FALSE(needs_apply(live->content, desired, "me"));
  EXPECT_TRUE(needs_apply(live->content, desired, "another"));
}

TEST_F(ApiTest, EachDifferenceNeedsAnApply) {
  const auto live = world.run(any_maps.apply(encode_object(map("a", {{"x", "1"}})), {"me"}));
  ASSERT_TRUE(live.ok());
  EXPECT_TRUE(needs_apply(live->content, encode_object(map("a", {{"x", "2"}})), "me"));
  EXPECT_TRUE(needs_apply(live->content, encode_object(map("a", {{"x", "1"}, {"y", ""}})), "me"));
  EXPECT_TRUE(needs_apply(live->content, encode_object(map("a", {})), "me"));
  // Another manager has changed a field that we own.
  world.send("PATCH", "/api/v1/namespaces/default/configmaps/a", R"({"data":{"x":"9"}})");
  const auto changed = world.run(any_maps.get({"default", "a"}));
  EXPECT_TRUE(needs_apply(changed->content, encode_object(map("a", {{"x", "1"}})), "me"));
}

TEST_F(ApiTest, DefaultsOfTheServerNeedNoApply) {
  const Api<DynamicObject> pods(world.loop, world.client, kPods);
  const json::Object metadata{{"name", "p"}, {"namespace", "default"}};
  const json::Object container{{"name", "c"},
                               {"image", "i:1"},
                               {"ports", json::Array{json::Object{{"containerPort", 80}}}},
                               {"env", json::Array{json::Object{{"name", "A"}, {"value", "1"}}}}};
  const json::Object desired{{"metadata", metadata},
                             {"spec", json::Object{{"containers", json::Array{container}}}}};
  const auto live = world.run(pods.apply(desired, {"me"}));
  ASSERT_TRUE(live.ok()) << live.error().to_string();
  EXPECT_FALSE(needs_apply(live->content, desired, "me"));
}

// --- prune

TEST_F(ApiTest, PruningDeletesObjectsThatAreNoLongerWanted) {
  for (const char* name : {"a", "b", "c"}) (void)world.run(maps.create(map(name, {})));
  world.send("POST", "/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"other"}})");
  const Api<PartialObject> parts(world.loop, world.client, kConfigMaps);
  const auto deleted = world.run(prune(parts, {{"", "made-by=me"}, {ObjectKey{"default", "b"}}}));
  ASSERT_TRUE(deleted.ok());
  EXPECT_THAT(*deleted, ElementsAre(ObjectKey{"default", "a"}, ObjectKey{"default", "c"}));
  EXPECT_NE(world.find("configmaps", "default", "b"), nullptr);
  EXPECT_NE(world.find("configmaps", "default", "other"), nullptr);
}

TEST_F(ApiTest, PruningWithoutALabelIsRejected) {
  const Api<PartialObject> parts(world.loop, world.client, kConfigMaps);
  EXPECT_TRUE(world.run(prune(parts, {})).error().is(Kind::invalid));
  EXPECT_TRUE(world.transport.requests.empty());
}

TEST_F(ApiTest, PruningKeepsTheObjectsOfOtherOwners) {
  PartialObject ours;
  ours.metadata.name = "ours";
  ours.metadata.ownerReferences = {{"v1", "Pod", "p", Uid("u1"), true}};
  PartialObject theirs = ours;
  theirs.metadata.ownerReferences = {{"v1", "Pod", "p", Uid("u2"), true}};
  PartialObject going = ours;
  going.metadata.deletionTimestamp = "2026-01-01T00:00:00Z";
  const auto doomed = unwanted({ours, theirs, going}, {{"", "a=b"}, {}, Uid("u1")});
  ASSERT_EQ(doomed.size(), 1U);
  EXPECT_EQ(doomed[0].metadata.ownerReferences[0].uid, Uid("u1"));
}

TEST_F(ApiTest, PartialObjectsRequestOnlyMetadata) {
  const Api<PartialObject> secrets(world.loop, world.client, kSecrets);
  (void)world.run(secrets.list());
  (void)world.run(secrets.get({"default", "s"}));
  EXPECT_EQ(world.transport.requests.at(0).header("Accept"),
            "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io");
  EXPECT_EQ(world.transport.requests.at(1).header("Accept"),
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io");
}

}  // namespace
}  // namespace kube::inline client
