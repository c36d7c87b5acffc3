// SPDX-License-Identifier: Apache-2.0
#include "kube/client/discovery.h"

#include <gtest/gtest.h>

namespace kube::inline client {
namespace {

// As a real server answers GET /apis/apps/v1.
constexpr std::string_view kList =
    R"({"kind":"APIResourceList","groupVersion":"apps/v1","resources":[
  {"name":"deployments/scale","singularName":"","namespaced":true,"group":"autoscaling","kind":"Scale"},
  {"name":"deployments/status","namespaced":true,"kind":"Deployment"},
  {"name":"deployments","singularName":"deployment","namespaced":true,"kind":"Deployment"},
  {"name":"things","namespaced":false,"kind":"Thing"}]})";

TEST(Discovery, FindsTheCollectionOfAKind) {
  const auto found = resource_in(kList, "apps/v1", "Deployment");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(*found, kDeployments);
  EXPECT_EQ(resource_in(kList, "apps/v1", "Thing")->scope, Scope::cluster);
}

TEST(Discovery, AKindThatIsNotServedIsNotFound) {
  EXPECT_TRUE(resource_in(kList, "apps/v1", "Widget").error().is(base::Kind::not_found));
}

TEST(Discovery, ListsTheKindsOfAVersionWithoutTheirSubresources) {
  const auto all = resources_in(kList, "apps/v1");
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(all->front(), kDeployments);
  EXPECT_EQ(all->back().plural, "things");
}

TEST(Resource, TextThatCannotBePartOfAPathIsNoApiVersion) {
  for (const char* good : {"v1", "batch/v1", "jobset.x-k8s.io/v1alpha2"})
    EXPECT_TRUE(is_api_version(good)) << good;
  for (const char* bad : {"", "a/b/c", "../v1", "batch/../v1", "v1?x=", "V1", "a b"})
    EXPECT_FALSE(is_api_version(bad)) << bad;
}

TEST(Resource, KnowsItsGroupAndVersion) {
  EXPECT_EQ(kPods.api_version(), "v1");
  EXPECT_EQ(kPods.group(), "");
  EXPECT_EQ(kDeployments.api_version(), "apps/v1");
  EXPECT_EQ(kDeployments.group(), "apps");
  EXPECT_EQ(resource_named("v1", "Pod", "pods"), kPods);
  EXPECT_EQ(resource_named("apps/v1", "Deployment", "deployments"), kDeployments);
}

}  // namespace
}  // namespace kube::inline client
