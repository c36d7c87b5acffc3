// SPDX-License-Identifier: Apache-2.0
// No text in a resource changes the structure of an object: it ends up as one JSON string.
#include "operator/objects/testing_shape.h"
#include "operator/parts/parts.h"
#include "operator/parts/testing_cluster.h"

#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

api::Container container(const std::string& any) {
  api::Container all;
  all.image = any;
  all.imagePullPolicy = any;
  all.imagePullSecrets = {json::Object{{"name", any}}};
  all.command = {any};
  all.args = {any};
  all.customEnv = {json::Object{{"name", any}, {"value", any}}};
  all.appArmorProfile = "localhost/" + any;
  all.procMount = any;
  return all;
}

void fill(api::Controller& controller, const std::string& any) {
  controller.customInitContainers = {json::Object{{"name", any}}};
  controller.k8sNodeFilterName = any;
  controller.priorityClass = any;
  controller.munge = container(any);
  controller.slurmctld = container(any);
  controller.serviceAccountName = any;
  controller.volumes.spool =
      api::NodeVolume{.volumeSourceName = any, .volumeClaimTemplateSpec = {}};
  controller.volumes.customMounts = {{.name = "custom" + any,
                                      .mountPath = "/custom" + any,
                                      .subPath = any,
                                      .volumeSourceName = any,
                                      .volumeClaimTemplateSpec = {}}};
}

void fill(api::Rest& rest, const std::string& any) {
  rest.customInitContainers = {json::Object{{"name", any}}};
  rest.k8sNodeFilterName = any;
  rest.priorityClass = any;
  rest.rest = container(any);
}

// A cluster whose resource was stored without any validation.
Cluster cluster_with(const std::string& any) {
  Cluster cluster = full_cluster();
  api::SlurmClusterSpec& spec = cluster.resource.spec;
  spec.k8sNodeFilters = {{.name = any,
                          .affinity = json::Object{{"a", any}},
                          .nodeSelector = {{"n", any}},
                          .tolerations = {json::Object{{"key", any}}}}};
  spec.volumeSources = {{.name = any, .content = json::Object{{"hostPath", any}}}};
  spec.secrets.sshdKeysName = any;
  spec.home = api::NodeVolume{.volumeSourceName = "",
                              .volumeClaimTemplateSpec = json::Object{{"storageClassName", any}}};
  fill(spec.slurmNodes.controller, any);
  fill(spec.slurmNodes.rest, any);
  cluster.defaults.slurm_image = any;
  cluster.defaults.pull_policy = any;
  cluster.owner.name = any;
  return cluster;
}

void append(const base::Result<Objects>& objects, json::Array& all) {
  ASSERT_TRUE(objects.ok()) << objects.error().message();
  for (const json::Object& object : *objects) all.push_back(object);
}

json::Value objects_with(const std::string& any) {
  const Cluster cluster = cluster_with(any);
  json::Array all;
  append(common(cluster), all);
  append(controller(cluster), all);
  append(rest(cluster), all);
  for (const SecretOrder& order : secrets(cluster)) all.push_back(order.metadata);
  return objects::reread({{"all", std::move(all)}});
}

TEST(HostileTexts, are_always_one_string) {
  const json::Value plain = objects_with("plain");
  for (const std::string& hostile : objects::hostile_texts()) {
    EXPECT_TRUE(objects::same_shape(objects_with(hostile), plain)) << hostile;
  }
}

// A start script is constant: values reach it as arguments and variables only.
TEST(HostileTexts, are_never_in_a_script) {
  Cluster cluster = cluster_with("hostile-text");
  cluster.resource.spec.slurmNodes.controller.slurmctld->command = {};
  const auto objects = controller(cluster);
  ASSERT_TRUE(objects.ok());
  const json::Value set = object_named(*objects, "StatefulSet", cluster.names.controller());
  const json::Value& pod = *set.find("spec")->find("template")->find("spec");
  for (const std::string_view list : {"initContainers", "containers"}) {
    for (const json::Value& one : *pod.find(list)->as_array()) {
      if (one.find("command") == nullptr || one.find("command")->as_array()->size() < 3) continue;
      const std::string& script = *(*one.find("command")->as_array())[2].as_string();
      EXPECT_EQ(script.find("hostile-text"), std::string::npos) << script;
    }
  }
}

}  // namespace
}  // namespace slurmop::parts
