// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/labels.h"
#include "operator/parts/parts.h"
#include "operator/parts/testing_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace slurmop::parts {
namespace {

using Content = SecretOrder::Content;
using testing::ElementsAre;

std::vector<std::string> names(const Cluster& cluster) {
  std::vector<std::string> all;
  for (const SecretOrder& order : secrets(cluster)) all.push_back(order.name);
  return all;
}

SecretOrder named(const Cluster& cluster, std::string_view name) {
  const auto all = secrets(cluster);
  const auto found = std::ranges::find(all, name, &SecretOrder::name);
  EXPECT_NE(found, all.end()) << name;
  return found == all.end() ? SecretOrder{.name = "", .metadata = {}} : *found;
}

TEST(Secrets, a_small_cluster_has_the_keys_of_slurm_rest_and_sshd) {
  EXPECT_THAT(names(small_cluster()),
              ElementsAre("demo-slurm-key", "demo-rest-jwt-key", "demo-sshd-keys"));
}

TEST(Secrets, the_munge_key_replaces_the_slurm_key) {
  EXPECT_THAT(
      names(full_cluster()),
      ElementsAre("demo-munge", "demo-rest-jwt-key", "demo-sshd-keys", "demo-mariadb-password"));
}

TEST(Secrets, have_the_content_that_the_daemons_need) {
  const SecretOrder slurm = named(small_cluster(), "demo-slurm-key");
  EXPECT_EQ(slurm.content, Content::random_bytes);
  EXPECT_EQ(slurm.key, "slurm.key");
  EXPECT_EQ(slurm.bytes, 1024U);
  const SecretOrder munge = named(full_cluster(), "demo-munge");
  EXPECT_EQ(munge.key, "munge.key");
  EXPECT_EQ(munge.bytes, 1024U);
  const SecretOrder jwt = named(small_cluster(), "demo-rest-jwt-key");
  EXPECT_EQ(jwt.key, "rest_jwt.key");
  EXPECT_EQ(jwt.bytes, 32U);
  EXPECT_EQ(named(small_cluster(), "demo-sshd-keys").content, Content::ssh_host_keys);
  const SecretOrder password = named(full_cluster(), "demo-mariadb-password");
  EXPECT_EQ(password.content, Content::random_password);
  EXPECT_EQ(password.key, "password");
}

TEST(Secrets, are_deleted_with_the_cluster_except_the_password_of_the_kept_database) {
  for (const SecretOrder& order : secrets(full_cluster())) {
    const json::Value metadata = order.metadata;
    EXPECT_EQ(*metadata.find("name"), json::Value(order.name));
    EXPECT_EQ(*metadata.find("namespace"), json::Value("hpc"));
    const json::Value* instance = metadata.find("labels")->find(objects::kInstance);
    EXPECT_EQ(*instance, json::Value("demo"));
    const bool is_kept = order.name == "demo-mariadb-password";
    EXPECT_EQ(metadata.find("ownerReferences") == nullptr, is_kept) << order.name;
  }
}

TEST(Secrets, host_keys_have_the_name_that_the_resource_gives) {
  const Cluster cluster = settled_from(R"({"secrets": {"sshdKeysName": "our-host-keys"}})");
  EXPECT_THAT(names(cluster), ElementsAre("demo-slurm-key", "demo-rest-jwt-key", "our-host-keys"));
}

TEST(Secrets, an_external_database_has_its_own_password) {
  const Cluster cluster = settled_from(R"({"slurmNodes": {"accounting": {
      "enabled": true,
      "externalDB": {"enabled": true, "host": "db.example.com", "user": "slurm",
                     "passwordSecretKeyRef": {"name": "db", "key": "password"}}}}})");
  EXPECT_THAT(names(cluster), ElementsAre("demo-slurm-key", "demo-rest-jwt-key", "demo-sshd-keys"));
}

}  // namespace
}  // namespace slurmop::parts
