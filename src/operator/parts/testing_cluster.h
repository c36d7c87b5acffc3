// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/settle/cluster.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace slurmop::parts {

// For tests only: a settled cluster `demo` in the namespace `hpc` with this spec.
inline settle::Cluster settled(json::Value spec,
                               const std::vector<json::Value>& node_sets = {},
                               const settle::Recorded& recorded = {}) {
  json::Object metadata{{"name", "demo"}, {"namespace", "hpc"}, {"uid", "uid-of-demo"}};
  const json::Object whole{{"apiVersion", "slurm.nebius.ai/v1"},
                           {"kind", "SlurmCluster"},
                           {"metadata", std::move(metadata)},
                           {"spec", std::move(spec)}};
  settle::Settled result = settle::settle(whole, node_sets, recorded, settle::Defaults{});
  for (const api::FieldError& error : result.findings.errors) ADD_FAILURE() << error.to_string();
  if (!result.cluster) std::abort();
  return std::move(*result.cluster);
}

inline settle::Cluster settled_from(std::string_view spec) {
  const auto parsed = json::parse(spec);
  EXPECT_TRUE(parsed.ok()) << spec;
  return settled(parsed.ok() ? *parsed : json::Value(json::Object{}));
}

// The least that a user writes.
inline settle::Cluster small_cluster() {
  return settled_from(R"({"slurmNodes": {"worker": {"size": 2}}})");
}

// Every field that controller, rest and the common objects use; authentication with munge.
inline settle::Cluster full_cluster() {
  return settled_from(R"({
    "k8sNodeFilters": [{
      "name": "cpu",
      "nodeSelector": {"pool": "cpu"},
      "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{
        "weight": 1,
        "preference": {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}}]}},
      "tolerations": [{"key": "dedicated", "operator": "Exists", "effect": "NoSchedule"}]}],
    "volumeSources": [
      {"name": "state", "persistentVolumeClaim": {"claimName": "slurmctld-state"}},
      {"name": "scripts", "configMap": {"name": "scripts"}}],
    "home": {"volumeClaimTemplateSpec": {
      "accessModes": ["ReadWriteMany"],
      "resources": {"requests": {"storage": "102400Mi"}}}},
    "users": [
      {"name": "alice", "uid": 2000, "sshPublicKeys": ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFHdqXm8Wd2jxWZvHyR7Wh0R1lPFDVHfnzQ0HGrE9t0s alice@example.com"]},
      {"name": "bob"}],
    "slurmNodes": {
      "worker": {"size": 2},
      "controller": {
        "k8sNodeFilterName": "cpu",
        "priorityClass": "system-cluster-critical",
        "customInitContainers": [{
          "name": "first", "image": "localhost/slurm:26.05", "command": ["true"],
          "resources": {"requests": {"memory": "1024Ki"}}}],
        "slurmctld": {
          "image": "registry.example.com/slurm:1",
          "imagePullPolicy": "Always",
          "imagePullSecrets": [{"name": "registry"}],
          "args": ["-v"],
          "customEnv": [{"name": "TZ", "value": "UTC"}],
          "resources": {"cpu": "1000m", "memory": "1024Mi"}},
        "munge": {"resources": {"cpu": "100m", "memory": "64Mi"}},
        "volumes": {
          "spool": {"volumeSourceName": "state"},
          "customMounts": [
            {"name": "scripts", "mountPath": "/opt/scripts", "readOnly": true, "volumeSourceName": "scripts"},
            {"name": "cache", "mountPath": "/var/cache/site", "subPath": "a", "volumeClaimTemplateSpec": {
              "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "2048Mi"}}}}]}},
      "login": {
        "sshRootPublicKeys": ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIbqkC9mH8zmeMlD1cL9g5bW9Gm9lqDb6L8c4vuGBh9w admin@example.com"]},
      "accounting": {"enabled": true},
      "rest": {
        "enabled": true,
        "k8sNodeFilterName": "cpu",
        "threadCount": 5,
        "maxConnections": 50,
        "rest": {
          "port": 8080,
          "customEnv": [{"name": "SLURMRESTD_DEBUG", "value": "4"}],
          "resources": {"cpu": "250m", "memory": "256Mi"}}}}})");
}

// The object of this kind and name, or a failure of the test.
inline json::Value object_named(const std::vector<json::Object>& objects,
                                std::string_view kind,
                                std::string_view name) {
  for (const json::Object& object : objects) {
    const json::Value* own_name = object.find("metadata")->find("name");
    if (*object.find("kind") == json::Value(kind) && *own_name == json::Value(name)) return object;
  }
  ADD_FAILURE() << "there is no " << kind << " " << name;
  return json::Object{};
}

}  // namespace slurmop::parts
