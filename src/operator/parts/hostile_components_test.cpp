// SPDX-License-Identifier: Apache-2.0
// No text in a resource changes the structure of an object of workers, login and accounting, is part
// of a script, or is replaced by the kubelet.
#include "operator/objects/testing_shape.h"
#include "operator/parts/testing_kubelet.h"
#include "operator/parts/testing_pods.h"

#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

api::Container container(const std::string& any) {
  api::Container all;
  all.image = any;
  all.imagePullPolicy = any;
  all.imagePullSecrets = {json::Object{{"name", any}}};
  all.args = {any};
  all.customEnv = {json::Object{{"name", "x" + any}, {"value", any}}};
  all.appArmorProfile = "localhost/" + any;
  all.procMount = any;
  return all;
}

std::vector<api::VolumeMount> mounts(const std::string& any) {
  return {{.name = "a" + any,
           .mountPath = "/a" + any,
           .subPath = any,
           .volumeSourceName = any,
           .volumeClaimTemplateSpec = {}},
          {.name = "b" + any,
           .mountPath = "/b" + any,
           .subPath = any,
           .volumeSourceName = "",
           .volumeClaimTemplateSpec = json::Object{{"storageClassName", any}}}};
}

void fill(api::Login& login, const std::string& any) {
  login.customInitContainers = {json::Object{{"name", any}}};
  login.k8sNodeFilterName = any;
  login.priorityClass = any;
  login.munge = container(any);
  login.sshd = container(any);
  login.sshdServiceAnnotations = {{"a", any}};
  login.sshdServiceType = "LoadBalancer";
  login.sshdServiceLoadBalancerIP = any;
  login.sshdServiceLoadBalancerSourceRanges = {any};
  login.volumes.customMounts = mounts(any);
}

void fill(api::MariaDb& database, const std::string& any) {
  const api::Container same = container(any);
  database.image = same.image;
  database.imagePullPolicy = same.imagePullPolicy;
  database.imagePullSecrets = same.imagePullSecrets;
  database.args = same.args;
  database.customEnv = same.customEnv;
  database.priorityClassName = any;
  database.podSecurityContext = json::Object{{"a", any}};
  database.storage.storageClassName = any;
}

void fill(api::Accounting& accounting, const std::string& any) {
  accounting.customInitContainers = {json::Object{{"name", any}}};
  accounting.k8sNodeFilterName = any;
  accounting.priorityClass = any;
  accounting.munge = container(any);
  accounting.slurmdbd = container(any);
  accounting.mariadbOperator.emplace();
  fill(*accounting.mariadbOperator, any);
}

void fill(settle::WorkerSet& set, const std::string& any) {
  set.image = any;
  set.munge_image = any;
  set.owner.name = any;
  set.placement = {.affinity = json::Object{{"a", any}},
                   .node_selector = {{"a", any}},
                   .tolerations = {json::Object{{"key", any}}},
                   .priority_class = any};
  set.spec.customInitContainers = {json::Object{{"name", any}}};
  set.spec.imagePullSecrets = {json::Object{{"name", any}}};
  set.spec.workerAnnotations = {{"a", any}};
  set.spec.nodeConfig.features = {"x" + any};
  api::NodeSetSlurmd& slurmd = set.spec.slurmd;
  slurmd.customEnv = {json::Object{{"name", "x" + any}, {"value", any}}};
  slurmd.image.pullPolicy = any;
  slurmd.livenessProbe = json::Object{{"a", any}};
  slurmd.security = {.limitsConfig = any, .appArmorProfile = "localhost/" + any, .procMount = any};
  slurmd.volumes.spool = json::Object{{"hostPath", any}};
  slurmd.volumes.customVolumeMounts = {{.name = "a" + any,
                                        .mountPath = "/a" + any,
                                        .subPath = any,
                                        .volumeSource = json::Object{{"hostPath", any}},
                                        .volumeClaimTemplateSpec = {}},
                                       {.name = "b" + any,
                                        .mountPath = "/b" + any,
                                        .subPath = any,
                                        .volumeSource = {},
                                        .volumeClaimTemplateSpec = json::Object{{"a", any}}}};
}

// A cluster whose resource was stored without any validation.
Cluster cluster_with(const std::string& any, conf::AuthMode auth) {
  Cluster cluster = full_cluster_with(false);
  cluster.auth = auth;
  api::SlurmClusterSpec& spec = cluster.resource.spec;
  spec.k8sNodeFilters = {{.name = any,
                          .affinity = json::Object{{"a", any}},
                          .nodeSelector = {{"n", any}},
                          .tolerations = {json::Object{{"key", any}}}}};
  spec.volumeSources = {{.name = any, .content = json::Object{{"hostPath", any}}}};
  spec.home = api::NodeVolume{.volumeSourceName = any, .volumeClaimTemplateSpec = {}};
  spec.secrets.sshdKeysName = any;
  fill(spec.slurmNodes.login, any);
  fill(spec.slurmNodes.accounting, any);
  for (settle::WorkerSet& set : cluster.worker_sets) fill(set, any);
  cluster.defaults.slurm_image = any;
  cluster.defaults.database_image = any;
  cluster.defaults.pull_policy = any;
  cluster.owner.name = any;
  return cluster;
}

json::Value objects_with(const std::string& any, conf::AuthMode auth) {
  json::Array all;
  for (const json::Object& object : component_objects(cluster_with(any, auth))) {
    all.push_back(object);
  }
  return objects::reread({{"all", std::move(all)}});
}

TEST(HostileComponents, are_always_one_string) {
  for (const conf::AuthMode auth : {conf::AuthMode::slurm, conf::AuthMode::munge}) {
    const json::Value plain = objects_with("plain", auth);
    for (const std::string& hostile : objects::hostile_texts()) {
      EXPECT_TRUE(objects::same_shape(objects_with(hostile, auth), plain)) << hostile;
    }
  }
}

TEST(HostileComponents, are_never_in_a_script) {
  const Cluster cluster = cluster_with("hostile-text", conf::AuthMode::munge);
  for (const json::Value& container : containers_in(component_objects(cluster))) {
    EXPECT_EQ(script_in(container).find("hostile-text"), std::string::npos);
  }
}

TEST(HostileComponents, node_options_reach_slurmd_unchanged) {
  Cluster cluster = full_cluster_with(false);
  settle::WorkerSet& set = cluster.worker_sets[0];
  set.spec.nodeConfig.features = {"$(TZ)", "$$"};
  set.spec.slurmd.resources = {};
  set.spec.nodeConfig.static_ = "Comment=$(POD_NAME)";
  const json::Value slurmd = container_of(at(worker_pod(cluster, set, 0), {"spec"}), "slurmd");
  const std::string given = *at(slurmd, {"args", "1"}).as_string();
  EXPECT_EQ(as_kubelet_expands(given, {{"TZ", "UTC"}, {"POD_NAME", "gpu-0"}}),
            "Feature=gpu,$(TZ),$$ Port=6918 Comment=$(POD_NAME)");
}

}  // namespace
}  // namespace slurmop::parts
