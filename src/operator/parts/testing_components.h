// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/pointer.h"
#include "operator/parts/testing_cluster.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// For tests only: clusters with every field that workers, login and accounting use, and access to
// parts of their objects.
namespace slurmop::parts {

inline json::Value parsed(std::string_view text) {
  const auto value = json::parse(text);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? *value : json::Value(json::Object{});
}

// Settings of one container that differ from the defaults.
inline std::string container_fields(std::string_view image) {
  return R"("image": ")" + std::string(image) + R"(", "imagePullPolicy": "Always",
      "imagePullSecrets": [{"name": "registry"}], "args": ["-v"],
      "customEnv": [{"name": "TZ", "value": "UTC"}],
      "resources": {"cpu": "500m", "memory": "512Mi"},
      "readinessProbe": {"tcpSocket": {"port": 1}})";
}

inline constexpr std::string_view kFullCommon = R"(
    "k8sNodeFilters": [{"name": "cpu", "nodeSelector": {"pool": "cpu"}}],
    "volumeSources": [
      {"name": "homes", "nfs": {"server": "nfs.example.com", "path": "/home"}},
      {"name": "tools", "configMap": {"name": "tools"}}],
    "home": {"volumeSourceName": "homes"},
    "users": [{"name": "alice", "uid": 2000}],)";

// Three forms of workers: "gpu" has every field, "plain" none; login and accounting have every
// field; the database is the cluster's own.
inline json::Value full_spec(bool munge) {
  const std::string sidecar =
      munge ? R"("munge": {)" + container_fields("registry.example.com/munge:1") + "}," : "";
  return parsed("{" + std::string(kFullCommon) + R"(
    "slurmNodes": {
      "controller": {)" +
                (munge ? R"("munge": {})" : "") + R"(},
      "login": {)" +
                sidecar + R"(
        "size": 2, "k8sNodeFilterName": "cpu", "priorityClass": "high", "hostUsers": true,
        "customInitContainers": [{"name": "first", "image": "localhost/slurm:26.05", "command": ["true"]}],
        "sshd": {"port": 2222, )" +
                container_fields("registry.example.com/login:1") + R"(},
        "sshdServiceType": "LoadBalancer", "sshdServiceLoadBalancerIP": "192.0.2.7",
        "sshdServiceLoadBalancerSourceRanges": ["198.51.100.0/24"],
        "sshdServiceAnnotations": {"example.com/pool": "public"}, "sshdServiceNodePort": 30022,
        "volumes": {"customMounts": [
          {"name": "tools", "mountPath": "/opt/tools", "readOnly": true, "volumeSourceName": "tools"},
          {"name": "home", "mountPath": "/scratch", "volumeClaimTemplateSpec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1024Mi"}}}}]}},
      "accounting": {)" +
                sidecar + R"(
        "enabled": true, "k8sNodeFilterName": "cpu", "priorityClass": "high", "hostUsers": true,
        "customInitContainers": [{"name": "first", "image": "localhost/slurm:26.05", "command": ["true"]}],
        "slurmdbd": {)" +
                container_fields("registry.example.com/slurmdbd:1") + R"(},
        "mariadbOperator": {)" +
                container_fields("registry.example.com/mariadb:1") + R"(,
          "podSecurityContext": {"fsGroupChangePolicy": "OnRootMismatch"},
          "priorityClassName": "database",
          "storage": {"size": "20480Mi", "storageClassName": "fast"}}}}})");
}

inline json::Value node_set(std::string_view name, std::string_view spec) {
  json::Object metadata{{"name", name},
                        {"namespace", "hpc"},
                        {"uid", "uid-of-" + std::string(name)},
                        {"generation", 1}};
  return json::Object{{"apiVersion", "slurm.nebius.ai/v1alpha1"},
                      {"kind", "NodeSet"},
                      {"metadata", std::move(metadata)},
                      {"spec", parsed(spec)}};
}

inline json::Value full_node_set() {
  return node_set("gpu", R"({
    "clusterName": "demo", "replicas": 4, "maxUnavailable": "25%", "priorityClass": "jobs",
    "affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{
      "weight": 100, "podAffinityTerm": {"topologyKey": "zone", "labelSelector": {}}}]}},
    "nodeSelector": {"pool": "gpu"}, "tolerations": [{"key": "gpu", "operator": "Exists"}],
    "imagePullSecrets": [{"name": "registry"}], "workerAnnotations": {"example.com/team": "ml"},
    "customInitContainers": [{"name": "first", "image": "localhost/slurm:26.05", "command": ["true"]}],
    "munge": {"image": {"repository": "registry.example.com/munge", "tag": "1"},
              "resources": {"cpu": "100m", "memory": "64Mi"}},
    "nodeConfig": {"features": ["a100", "gpu", "ib"], "static": "Gres=gpu:a100:8 Weight=5"},
    "slurmd": {
      "image": {"repository": "registry.example.com/slurmd", "tag": "2", "pullPolicy": "Always"},
      "port": 6918, "customEnv": [{"name": "TZ", "value": "UTC"}],
      "livenessProbe": {"tcpSocket": {"port": 6918}, "periodSeconds": 60},
      "resources": {"cpu": "3500m", "memory": "16Gi", "nvidia.com/gpu": "8"},
      "security": {"appArmorProfile": "localhost/slurmd"},
      "volumes": {
        "sharedMemorySize": "1024Mi", "spool": {"emptyDir": {"sizeLimit": "10240Mi"}},
        "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain"},
        "customVolumeMounts": [
          {"name": "data", "mountPath": "/data", "readOnly": true, "volumeSource": {"nfs": {"server": "nfs.example.com", "path": "/data"}}},
          {"name": "scratch", "mountPath": "/scratch", "subPath": "jobs", "volumeClaimTemplateSpec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "102400Mi"}}}}]}}})");
}

inline settle::Cluster full_cluster_with(bool munge) {
  return settled(full_spec(munge),
                 {full_node_set(), node_set("plain", R"({"clusterName": "demo", "replicas": 2})")});
}

inline const settle::WorkerSet& set_named(const settle::Cluster& cluster, std::string_view name) {
  for (const settle::WorkerSet& set : cluster.worker_sets) {
    if (set.name == name) return set;
  }
  ADD_FAILURE() << "there is no set " << name;
  std::abort();
}

inline json::Value at(const json::Value& object, const json::Pointer& place) {
  const json::Value* found = json::find(object, place);
  return found == nullptr ? json::Value() : *found;
}

// The element of a list with this name, or null.
inline json::Value named(const json::Value& list, std::string_view name) {
  if (list.as_array() == nullptr) return {};
  for (const json::Value& element : *list.as_array()) {
    if (element.find("name") != nullptr && *element.find("name") == json::Value(name)) {
      return element;
    }
  }
  return {};
}

// A container of the pod, also an init container.
inline json::Value container_of(const json::Value& pod_spec, std::string_view name) {
  const json::Value found = named(at(pod_spec, {"containers"}), name);
  return found.is_null() ? named(at(pod_spec, {"initContainers"}), name) : found;
}

inline std::vector<std::string> names_in(const json::Value& list) {
  std::vector<std::string> names;
  if (list.as_array() == nullptr) return names;
  for (const json::Value& element : *list.as_array()) {
    names.push_back(*element.find("name")->as_string());
  }
  return names;
}

}  // namespace slurmop::parts
