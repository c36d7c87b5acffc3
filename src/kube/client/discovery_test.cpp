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
