// SPDX-License-Identifier: Apache-2.0
#include "kube/api/conditions.h"

#include "base/rfc3339.h"
#include "kube/api/finalizers.h"
#include "kube/api/owner_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kube::inline api {
namespace {

using ::testing::HasSubstr;
const base::WallTime kFirst = *base::parse_rfc3339("2026-01-01T00:00:00Z");
const base::WallTime kLater = *base::parse_rfc3339("2026-01-01T00:01:00Z");

TEST(Conditions, TheTransitionTimeChangesOnlyWithTheStatus) {
  Conditions conditions;
  EXPECT_TRUE(set_condition(conditions, {"Ready", "False", "Starting", "a", "", 1}, kFirst));
  EXPECT_TRUE(set_condition(conditions, {"Ready", "False", "Starting", "b", "", 2}, kLater));
  EXPECT_EQ(conditions[0].lastTransitionTime, "2026-01-01T00:00:00Z");
  EXPECT_EQ(conditions[0].message, "b");
  EXPECT_EQ(conditions[0].observedGeneration, 2);
  EXPECT_TRUE(set_condition(conditions, {"Ready", "True", "Done", "", "", 2}, kLater));
  EXPECT_EQ(conditions[0].lastTransitionTime, "2026-01-01T00:01:00Z");
}

TEST(Conditions, AnEqualConditionChangesNothing) {
  Conditions conditions;
  set_condition(conditions, {"Ready", "True", "Done", "m", "", 3}, kFirst);
  EXPECT_FALSE(set_condition(conditions, {"Ready", "True", "Done", "m", "", 3}, kLater));
}

TEST(Conditions, OthersStayInTheirOrder) {
  Conditions conditions;
  for (const char* type : {"A", "B", "C"})
    set_condition(conditions, {type, "True", "R", ""}, kFirst);
  set_condition(conditions, {"B", "False", "R", ""}, kLater);
  EXPECT_TRUE(remove_condition(conditions, "A"));
  EXPECT_FALSE(remove_condition(conditions, "A"));
  ASSERT_EQ(conditions.size(), 2U);
  EXPECT_EQ(conditions[0].type, "B");
  EXPECT_FALSE(is_true(conditions, "B"));
  EXPECT_TRUE(is_true(conditions, "C"));
  EXPECT_EQ(find_condition(conditions, "A"), nullptr);
}

TEST(Conditions, ARoundTripPreservesThem) {
  Conditions conditions;
  set_condition(conditions, {"Ready", "True", "Done", "m", "", 3}, kFirst);
  const json::Value object =
      json::Object{{"status", json::Object{{"conditions", encode_conditions(conditions)}}}};
  EXPECT_EQ(read_conditions(object), conditions);
  EXPECT_TRUE(read_conditions(json::Object{}).empty());
}

Owner owner_in(std::string ns) {
  ObjectMeta metadata;
  metadata.name = "o";
  metadata.namespace_ = std::move(ns);
  metadata.uid = Uid("u");
  return {kStatefulSets, metadata};
}

TEST(OwnerReference, AControllerBlocksTheDeletionOfItsOwner) {
  const auto reference = controller_reference(owner_in("a"), "a");
  ASSERT_TRUE(reference.ok());
  EXPECT_EQ(json::Value(encode_reference(*reference)).dump(),
            R"({"apiVersion":"apps/v1","kind":"StatefulSet","name":"o","uid":"u",)"
            R"("controller":true,"blockOwnerDeletion":true})");
  ObjectMeta owned;
  owned.ownerReferences = {*plain_reference(owner_in("a"), "a"), *reference};
  EXPECT_EQ(controller_of(owned)->uid, Uid("u"));
  EXPECT_TRUE(is_controlled_by(owned, Uid("u")));
  EXPECT_FALSE(is_owned_by(owned, Uid("v")));
}

TEST(OwnerReference, DoesNotCrossNamespaces) {
  const auto refused = controller_reference(owner_in("a"), "b");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("do not cross namespaces"));
  EXPECT_FALSE(plain_reference(owner_in("a"), "").ok());
  Owner cluster_wide = owner_in("");
  cluster_wide.resource = kNodes;
  EXPECT_TRUE(controller_reference(cluster_wide, "b").ok());
}

TEST(OwnerReference, AnOwnerWithoutAUidIsRejected) {
  Owner unread = owner_in("a");
  unread.metadata.uid = Uid();
  EXPECT_FALSE(controller_reference(unread, "a").ok());
}

TEST(Finalizers, APatchKeepsOtherFinalizersAndAppliesToOneVersion) {
  ObjectMeta metadata;
  metadata.uid = Uid("u");
  metadata.resourceVersion = "7";
  metadata.finalizers = {"a", "b"};
  EXPECT_EQ(json::Value(adding_finalizer(metadata, "c")).dump(),
            R"({"metadata":{"uid":"u","resourceVersion":"7","finalizers":["a","b","c"]}})");
  EXPECT_EQ(json::Value(removing_finalizer(metadata, "a")).dump(),
            R"({"metadata":{"uid":"u","resourceVersion":"7","finalizers":["b"]}})");
}

}  // namespace
}  // namespace kube::inline api
