// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/parts.h"
#include "operator/parts/testing_components.h"
#include "operator/parts/testing_golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Objects made(const Cluster& cluster) {
  auto all = accounting(cluster);
  EXPECT_TRUE(all.ok()) << all.error().message();
  return all.ok() ? *all : Objects{};
}

Cluster with_accounting(std::string_view accounting) {
  return settled_from(R"({"slurmNodes": {"worker": {}, "accounting": )" + std::string(accounting) +
                      "}}");
}

Cluster with_external_database() {
  return with_accounting(R"({"enabled": true, "externalDB": {
    "enabled": true, "host": "db.example.com", "port": 3307, "user": "acct",
    "passwordSecretKeyRef": {"name": "db", "key": "pw"}}})");
}

json::Value pod_spec(const Cluster& cluster) {
  return at(object_named(made(cluster), "Deployment", cluster.names.accounting()),
            {"spec", "template", "spec"});
}

json::Value database_set(const Cluster& cluster) {
  return object_named(made(cluster), "StatefulSet", cluster.names.database());
}

TEST(Accounting, golden_files_are_current) {
  Cluster small = with_accounting(R"({"enabled": true})");
  expect_golden("small/accounting", made(small));
  small.auth = conf::AuthMode::munge;
  expect_golden("small_munge/accounting", made(small));
  expect_golden("full/accounting", made(full_cluster_with(false)));
  expect_golden("full_munge/accounting", made(full_cluster_with(true)));
  expect_golden("external_database/accounting", made(with_external_database()));
}

TEST(Accounting, is_absent_unless_enabled) {
  EXPECT_TRUE(made(small_cluster()).empty());
}

// slurmdbd runs the program that its file names; the pod creates it.
TEST(Accounting, pod_and_file_agree) {
  const Cluster cluster = with_accounting(
      R"({"enabled": true, "slurmdbd": {"port": 7000}, "mariadbOperator": {"port": 7001}})");
  const json::Value map = object_named(made(cluster), "ConfigMap", "demo-slurmdbd-config");
  const std::string text = *at(map, {"data", "slurmdbd.conf"}).as_string();
  EXPECT_THAT(text, HasSubstr("StoragePassScript=" + std::string(kDatabasePasswordProgram) + "\n"));
  EXPECT_EQ(at(container_of(pod_spec(cluster), "slurmdbd"), {"args", "0"}),
            json::Value(kDatabasePasswordProgram));
  const auto port = [&](std::string_view service) {
    return at(object_named(made(cluster), "Service", service), {"spec", "ports"}).dump();
  };
  EXPECT_THAT(text, HasSubstr("DbdPort=7000\n"));
  EXPECT_EQ(port("demo-accounting-svc"), R"([{"name":"slurmdbd","port":7000}])");
  EXPECT_THAT(text, HasSubstr("StoragePort=7001\n"));
  EXPECT_EQ(port("demo-acct-db"), R"([{"name":"mysql","port":7001}])");
}

TEST(Accounting, a_new_file_replaces_the_pod) {
  const auto annotations = [](const Cluster& cluster) {
    return at(object_named(made(cluster), "Deployment", "accounting"),
              {"spec", "template", "metadata", "annotations"});
  };
  EXPECT_NE(annotations(with_accounting(R"({"enabled": true})")),
            annotations(with_accounting(
                R"({"enabled": true, "slurmdbdConfig": {"debugLevel": "debug"}})")));
}

TEST(Accounting, containers_start_in_the_order_in_which_they_need_each_other) {
  EXPECT_THAT(names_in(at(pod_spec(full_cluster_with(true)), {"initContainers"})),
              ElementsAre("first", "keys", "munge"));
  EXPECT_THAT(names_in(at(pod_spec(full_cluster_with(false)), {"initContainers"})),
              ElementsAre("first", "keys"));
}

TEST(Accounting, the_password_is_a_file_of_the_secret) {
  const auto volume = [](const Cluster& cluster) {
    return at(named(at(pod_spec(cluster), {"volumes"}), "database-password"), {"secret"}).dump();
  };
  EXPECT_EQ(volume(with_accounting(R"({"enabled": true})")),
            R"({"secretName":"demo-mariadb-password","defaultMode":256,)"
            R"("items":[{"key":"password","path":"password"}]})");
  EXPECT_EQ(volume(with_external_database()),
            R"({"secretName":"db","defaultMode":256,"items":[{"key":"pw","path":"password"}]})");
}

TEST(Accounting, an_external_database_replaces_the_own_one) {
  for (const json::Object& object : made(with_external_database())) {
    EXPECT_NE(*object.find("kind"), json::Value("StatefulSet"));
  }
  const json::Value map =
      object_named(made(with_external_database()), "ConfigMap", "demo-slurmdbd-config");
  EXPECT_THAT(*at(map, {"data", "slurmdbd.conf"}).as_string(),
              HasSubstr("StorageHost=db.example.com\nStoragePort=3307\nStorageUser=acct\n"));
}

TEST(Database, buffers_use_half_of_the_memory) {
  const auto bytes = [](std::string_view database) {
    const Cluster cluster =
        with_accounting(R"({"enabled": true, "mariadbOperator": )" + std::string(database) + "}");
    const json::Value pod = at(database_set(cluster), {"spec", "template", "spec"});
    return *at(container_of(pod, "mariadb"), {"args", "1"}).as_string();
  };
  EXPECT_EQ(bytes("{}"), "134217728");
  EXPECT_EQ(bytes(R"({"resources": {"memory": "2Gi"}})"), "1073741824");
  EXPECT_EQ(bytes(R"({"resources": {"memory": "1Mi"}})"), "16777216");
}

TEST(Database, keeps_its_data_in_a_claim) {
  const auto claim = [](std::string_view storage) {
    return at(database_set(with_accounting(R"({"enabled": true, "mariadbOperator": {"storage": )" +
                                           std::string(storage) + "}}")),
              {"spec", "volumeClaimTemplates", "0", "spec"})
        .dump();
  };
  EXPECT_EQ(claim("{}"),
            R"({"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"10Gi"}}})");
  EXPECT_EQ(claim(R"({"size": "5Gi", "storageClassName": "fast"})"),
            R"({"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"5Gi"}},)"
            R"("storageClassName":"fast"})");
  EXPECT_EQ(claim(R"({"volumeClaimTemplate": {"volumeName": "mine"}})"),
            R"({"volumeName":"mine"})");
  EXPECT_EQ(claim(R"({"ephemeral": true})"), "null");
}

TEST(Database, a_given_security_context_replaces_the_own_one) {
  const Cluster cluster = with_accounting(
      R"({"enabled": true, "mariadbOperator": {"securityContext": {"runAsUser": 999}}})");
  const json::Value pod = at(database_set(cluster), {"spec", "template", "spec"});
  EXPECT_EQ(at(container_of(pod, "mariadb"), {"securityContext"}).dump(), R"({"runAsUser":999})");
}

}  // namespace
}  // namespace slurmop::parts
