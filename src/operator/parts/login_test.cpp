// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/parts.h"
#include "operator/parts/testing_components.h"
#include "operator/parts/testing_golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

using testing::ElementsAre;

Objects made(const Cluster& cluster) {
  auto all = login(cluster);
  EXPECT_TRUE(all.ok()) << all.error().message();
  return all.ok() ? *all : Objects{};
}

Cluster with_login(std::string_view login) {
  return settled_from(R"({"slurmNodes": {"worker": {}, "login": )" + std::string(login) + "}}");
}

json::Value pod_spec(const Cluster& cluster) {
  return at(object_named(made(cluster), "StatefulSet", cluster.names.login()),
            {"spec", "template", "spec"});
}

json::Value service_spec(const Cluster& cluster) {
  return at(object_named(made(cluster), "Service", "demo-login-svc"), {"spec"});
}

TEST(Login, golden_files_are_current) {
  Cluster small = small_cluster();
  expect_golden("small/login", made(small));
  small.auth = conf::AuthMode::munge;
  expect_golden("small_munge/login", made(small));
  expect_golden("full/login", made(full_cluster_with(false)));
  expect_golden("full_munge/login", made(full_cluster_with(true)));
}

TEST(Login, containers_start_in_the_order_in_which_they_need_each_other) {
  EXPECT_THAT(names_in(at(pod_spec(small_cluster()), {"initContainers"})),
              ElementsAre("keys", "sackd", "homes"));
  EXPECT_THAT(names_in(at(pod_spec(full_cluster_with(true)), {"initContainers"})),
              ElementsAre("first", "munge", "homes"));
}

// Users have a shell in this container.
TEST(Login, sshd_cannot_read_the_key_of_slurm) {
  const json::Value sshd = container_of(pod_spec(small_cluster()), "sshd");
  for (const json::Value& mount : *at(sshd, {"volumeMounts"}).as_array()) {
    EXPECT_NE(*mount.find("name"), json::Value("keys"));
    EXPECT_NE(*mount.find("name"), json::Value("slurm-key"));
  }
  EXPECT_EQ(sshd.find("env"), nullptr);
}

TEST(Login, only_the_service_of_ready_pods_is_for_users) {
  EXPECT_EQ(service_spec(small_cluster()).find("publishNotReadyAddresses"), nullptr);
  const json::Value headless =
      object_named(made(small_cluster()), "Service", "demo-login-headless-svc");
  EXPECT_EQ(at(headless, {"spec", "publishNotReadyAddresses"}), json::Value(true));
}

struct Row {
  std::string_view cause;
  std::string_view login;
  std::string_view type;
  std::string_view ports;
};

const Row kRows[] = {
    {"by default Kubernetes chooses the port", "{}", "NodePort", R"([{"name":"ssh","port":22}])"},
    {"a port on the nodes",
     R"({"sshdServiceNodePort": 30022})",
     "NodePort",
     R"([{"name":"ssh","port":22,"nodePort":30022}])"},
    {"a load balancer",
     R"({"sshdServiceType": "LoadBalancer", "sshdServiceNodePort": 30022})",
     "LoadBalancer",
     R"([{"name":"ssh","port":22,"nodePort":30022}])"},
    {"inside the cluster there is no port on the nodes",
     R"({"sshdServiceType": "ClusterIP", "sshdServiceNodePort": 30022})",
     "ClusterIP",
     R"([{"name":"ssh","port":22}])"},
    {"users see port 22 whatever sshd listens on",
     R"({"sshd": {"port": 2222}})",
     "NodePort",
     R"([{"name":"ssh","port":22,"targetPort":2222}])"},
};

TEST(Login, the_service_has_the_type_and_port_of_the_resource) {
  for (const Row& row : kRows) {
    const json::Value spec = service_spec(with_login(row.login));
    EXPECT_EQ(*spec.find("type"), json::Value(row.type)) << row.cause;
    EXPECT_EQ(spec.find("ports")->dump(), row.ports) << row.cause;
  }
}

TEST(Login, a_load_balancer_has_address_ranges_and_annotations) {
  const json::Value service =
      object_named(made(full_cluster_with(false)), "Service", "demo-login-svc");
  EXPECT_EQ(at(service, {"spec", "loadBalancerIP"}), json::Value("192.0.2.7"));
  EXPECT_EQ(at(service, {"spec", "loadBalancerSourceRanges"}).dump(), R"(["198.51.100.0/24"])");
  EXPECT_EQ(at(service, {"metadata", "annotations", "example.com/pool"}), json::Value("public"));
}

TEST(Login, several_pods_are_not_evicted_at_once) {
  const auto budgets = [](const Cluster& cluster) {
    int count = 0;
    for (const json::Object& object : made(cluster)) {
      if (*object.find("kind") == json::Value("PodDisruptionBudget")) ++count;
    }
    return count;
  };
  EXPECT_EQ(budgets(with_login(R"({"size": 1})")), 0) << "it would block the drain of a node";
  EXPECT_EQ(budgets(with_login(R"({"size": 2})")), 1);
}

TEST(Login, names_of_slurmctld_workers_and_login_pods_resolve_without_a_domain) {
  EXPECT_EQ(at(pod_spec(small_cluster()), {"dnsConfig", "searches"}).dump(),
            R"(["demo-controller-svc.hpc.svc.cluster.local",)"
            R"("demo-nodeset-svc.hpc.svc.cluster.local",)"
            R"("demo-login-headless-svc.hpc.svc.cluster.local"])");
}

TEST(Login, a_new_sshd_config_replaces_the_pods_and_new_users_do_not) {
  const auto set = [](const Cluster& cluster) {
    return object_named(made(cluster), "StatefulSet", "login");
  };
  const Cluster before = small_cluster();
  Cluster after = before;
  after.users.push_back({.name = "zoe", .uid = 1009, .public_keys = {"ssh-ed25519 A"}});
  EXPECT_EQ(set(before), set(after));
  EXPECT_NE(at(set(before), {"spec", "template", "metadata", "annotations"}),
            at(set(with_login(R"({"sshd": {"port": 2222}})")),
               {"spec", "template", "metadata", "annotations"}));
}

TEST(Login, host_keys_of_another_secret_are_used) {
  const Cluster cluster =
      settled_from(R"({"secrets": {"sshdKeysName": "mine"}, "slurmNodes": {"worker": {}}})");
  EXPECT_EQ(at(named(at(pod_spec(cluster), {"volumes"}), "host-keys"), {"secret", "secretName"}),
            json::Value("mine"));
}

}  // namespace
}  // namespace slurmop::parts
