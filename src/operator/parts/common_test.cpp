// SPDX-License-Identifier: Apache-2.0
#include "json/pointer.h"
#include "operator/parts/parts.h"
#include "operator/parts/testing_cluster.h"
#include "operator/parts/testing_golden.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace slurmop::parts {
namespace {

Objects made(const Cluster& cluster) {
  auto all = common(cluster);
  EXPECT_TRUE(all.ok()) << all.error().message();
  return all.ok() ? *all : Objects{};
}

TEST(Common, golden_files_are_current) {
  expect_golden("small/common", made(small_cluster()));
  expect_golden("full/common", made(full_cluster()));
}

TEST(Common, no_pod_has_rights_in_the_cluster) {
  for (const json::Object& object : made(full_cluster())) {
    EXPECT_NE(*object.find("kind"), json::Value("Role"));
    EXPECT_NE(*object.find("kind"), json::Value("RoleBinding"));
    if (*object.find("kind") == json::Value("ServiceAccount")) {
      EXPECT_EQ(*object.find("automountServiceAccountToken"), json::Value(false));
    }
  }
}

TEST(Common, only_the_home_claim_has_no_owner) {
  for (const json::Object& object : made(full_cluster())) {
    const bool is_claim = *object.find("kind") == json::Value("PersistentVolumeClaim");
    EXPECT_EQ(object.find("metadata")->find("ownerReferences") == nullptr, is_claim);
  }
}

TEST(Common, a_home_volume_of_the_administrator_needs_no_claim) {
  const Objects all = made(settled_from(R"({
      "volumeSources": [{"name": "nfs", "nfs": {"server": "a", "path": "/b"}}],
      "home": {"volumeSourceName": "nfs"}})"));
  EXPECT_TRUE(std::ranges::none_of(all, [](const json::Object& object) {
    return *object.find("kind") == json::Value("PersistentVolumeClaim");
  }));
}

TEST(Common, a_user_is_added_without_a_change_of_other_objects) {
  const Cluster before = small_cluster();
  Cluster after = before;
  after.users.push_back({.name = "zoe", .uid = 1009, .public_keys = {"ssh-ed25519 A"}});
  after.uids["zoe"] = 1009;
  const Objects one = made(before);
  const Objects two = made(after);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    const std::string& name = *one[i].find("metadata")->find("name")->as_string();
    const bool has_users = name == "demo-users" || name == "demo-ssh-keys";
    EXPECT_EQ(one[i] == two[i], !has_users) << name;
  }
}

}  // namespace
}  // namespace slurmop::parts
