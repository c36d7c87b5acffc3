// SPDX-License-Identifier: Apache-2.0
#include "json/pointer.h"
#include "operator/parts/controller_pod.h"
#include "operator/parts/parts.h"
#include "operator/parts/testing_cluster.h"
#include "operator/parts/testing_golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

using testing::ElementsAre;

Objects made(const Cluster& cluster) {
  auto all = controller(cluster);
  EXPECT_TRUE(all.ok()) << all.error().message();
  return all.ok() ? *all : Objects{};
}

json::Value stateful_set(const Cluster& cluster) {
  return object_named(made(cluster), "StatefulSet", cluster.names.controller());
}

json::Value at(const json::Value& object, const json::Pointer& place) {
  const json::Value* found = json::find(object, place);
  return found == nullptr ? json::Value() : *found;
}

// The values of a member of all elements of a list of the pod.
std::vector<std::string> all_of(const Cluster& cluster, std::string list, std::string_view key) {
  std::vector<std::string> values;
  const json::Value found =
      at(stateful_set(cluster), {"spec", "template", "spec", std::move(list)});
  if (found.as_array() == nullptr) return values;
  for (const json::Value& element : *found.as_array()) {
    const json::Value* value = element.find(key);
    values.push_back(value == nullptr ? "" : *value->as_string());
  }
  return values;
}

json::Value container(const Cluster& cluster, std::string list, std::string_view name) {
  const json::Value found =
      at(stateful_set(cluster), {"spec", "template", "spec", std::move(list)});
  for (const json::Value& element : *found.as_array()) {
    if (*element.find("name") == json::Value(name)) return element;
  }
  ADD_FAILURE() << "there is no container " << name;
  return json::Object{};
}

TEST(Controller, golden_files_are_current) {
  expect_golden("small/controller", made(small_cluster()));
  expect_golden("full/controller", made(full_cluster()));
}

TEST(Controller, files_and_their_hash_are_in_the_config_map) {
  const Cluster cluster = small_cluster();
  const auto files = slurm_files(cluster);
  ASSERT_TRUE(files.ok());
  const json::Value map = object_named(made(cluster), "ConfigMap", "demo-slurm-configs");
  EXPECT_EQ(at(map, {"data", "hash"}), json::Value(files->hash));
  for (const conf::File& file : files->files) {
    EXPECT_EQ(at(map, {"data", file.name()}), json::Value(file.reveal()));
  }
  EXPECT_EQ(map.find("data")->as_object()->size(), files->files.size() + 1);
}

TEST(Controller, an_invalid_configuration_is_an_error) {
  Cluster cluster = small_cluster();
  cluster.resource.spec.customSlurmConfig = "NoSuchKey=1";
  EXPECT_FALSE(controller(cluster).ok());
}

// A configuration change must restart nothing.
TEST(Controller, the_pod_depends_neither_on_the_configuration_nor_on_the_users) {
  const Cluster before = small_cluster();
  Cluster after = before;
  after.resource.spec.customSlurmConfig = "MessageTimeout=61";
  after.resource.spec.slurmConfig.maxJobCount = 7;
  after.resource.spec.slurmNodes.login.sshRootPublicKeys = {"ssh-ed25519 A"};
  after.users.push_back({.name = "zoe", .uid = 1009});
  after.uids["zoe"] = 1009;
  EXPECT_EQ(stateful_set(before), stateful_set(after));
  EXPECT_NE(object_named(made(before), "ConfigMap", "demo-slurm-configs"),
            object_named(made(after), "ConfigMap", "demo-slurm-configs"));
}

TEST(Controller, the_service_makes_the_srv_record_of_slurmctld) {
  const json::Value service = object_named(made(small_cluster()), "Service", "demo-controller-svc");
  EXPECT_EQ(at(service, {"spec", "ports"}).dump(), R"([{"name":"slurmctld","port":6817}])");
  EXPECT_EQ(at(service, {"spec", "clusterIP"}), json::Value()) << "the address must not change";
}

TEST(Controller, has_no_disruption_budget) {
  for (const json::Object& object : made(full_cluster())) {
    EXPECT_NE(*object.find("kind"), json::Value("PodDisruptionBudget"));
  }
}

TEST(Controller, containers_start_in_the_order_in_which_they_need_each_other) {
  EXPECT_THAT(all_of(small_cluster(), "initContainers", "name"),
              ElementsAre("keys", "config-agent"));
  EXPECT_THAT(all_of(full_cluster(), "initContainers", "name"),
              ElementsAre("first", "keys", "munge", "config-agent"));
  EXPECT_THAT(all_of(full_cluster(), "initContainers", "restartPolicy"),
              ElementsAre("", "", "Always", "Always"));
  EXPECT_THAT(all_of(full_cluster(), "containers", "name"), ElementsAre("slurmctld"));
}

TEST(Controller, is_ready_when_slurmctld_says_so_and_has_no_liveness_probe) {
  const json::Value slurmctld = container(small_cluster(), "containers", "slurmctld");
  EXPECT_EQ(slurmctld.find("readinessProbe")->dump(),
            R"({"httpGet":{"path":"/readyz","port":6817},"periodSeconds":2,"timeoutSeconds":3})");
  EXPECT_EQ(slurmctld.find("livenessProbe"), nullptr);
}

TEST(Controller, keeps_its_state_in_a_claim_by_default) {
  const json::Value set = stateful_set(small_cluster());
  EXPECT_EQ(at(set, {"spec", "volumeClaimTemplates", "0", "metadata", "name"}),
            json::Value("spool"));
  EXPECT_EQ(at(set, {"spec", "persistentVolumeClaimRetentionPolicy"}).dump(),
            R"({"whenDeleted":"Retain","whenScaled":"Retain"})");
}

TEST(Controller, a_named_source_replaces_the_claim) {
  const json::Value set = stateful_set(full_cluster());
  EXPECT_EQ(at(set, {"spec", "template", "spec", "volumes", "0"}).dump(),
            R"({"name":"spool","persistentVolumeClaim":{"claimName":"slurmctld-state"}})");
  EXPECT_EQ(at(set, {"spec", "volumeClaimTemplates", "0", "metadata", "name"}),
            json::Value("cache"));
}

TEST(Controller, settings_of_the_resource_reach_slurmctld) {
  const json::Value slurmctld = container(full_cluster(), "containers", "slurmctld");
  EXPECT_EQ(*slurmctld.find("image"), json::Value("registry.example.com/slurm:1"));
  EXPECT_EQ(slurmctld.find("args")->dump(), R"(["-v"])");
  EXPECT_EQ(slurmctld.find("resources")->dump(),
            R"({"requests":{"cpu":"1","memory":"1Gi"},"limits":{"memory":"1Gi"}})");
  EXPECT_EQ(*container(full_cluster(), "initContainers", "config-agent").find("image"),
            json::Value("registry.example.com/slurm:1"))
      << "new files are checked by the Slurm that reads them";
}

TEST(Controller, a_given_port_is_that_of_pod_probe_and_service) {
  const Cluster cluster =
      settled_from(R"({"slurmNodes": {"controller": {"slurmctld": {"port": 7000}}}})");
  const json::Value slurmctld = container(cluster, "containers", "slurmctld");
  EXPECT_EQ(at(slurmctld, {"ports", "0", "containerPort"}), json::Value(7000));
  EXPECT_EQ(at(slurmctld, {"readinessProbe", "httpGet", "port"}), json::Value(7000));
  const json::Value service = object_named(made(cluster), "Service", "demo-controller-svc");
  EXPECT_EQ(at(service, {"spec", "ports", "0", "port"}), json::Value(7000));
}

TEST(Controller, only_the_agent_can_write_the_active_configuration) {
  const auto mount_of = [](const json::Value& container) {
    for (const json::Value& mount : *container.find("volumeMounts")->as_array()) {
      if (*mount.find("mountPath") == json::Value("/etc/slurm")) return mount.dump();
    }
    return std::string("none");
  };
  EXPECT_EQ(mount_of(container(small_cluster(), "containers", "slurmctld")),
            R"({"name":"active","mountPath":"/etc/slurm","readOnly":true})");
  EXPECT_EQ(mount_of(container(small_cluster(), "initContainers", "config-agent")),
            R"({"name":"active","mountPath":"/etc/slurm"})");
}

}  // namespace
}  // namespace slurmop::parts
