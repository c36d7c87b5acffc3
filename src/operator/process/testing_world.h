// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: the model of the API server with the operator's kinds, the stores, and the daemons of
// a cluster, on virtual time.

#include "json/pointer.h"
#include "kube/testing/model.h"
#include "operator/process/pass_outcome.h"
#include "operator/process/stores.h"
#include "operator/process/testing_slurm.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace slurmop::process::testing {

inline const std::string kClusterPaths = "/apis/slurm.nebius.ai/v1/namespaces/{}/slurmclusters";
inline const std::string kNodeSetPaths = "/apis/slurm.nebius.ai/v1alpha1/namespaces/{}/nodesets";

struct ProcessWorld : kube::testing::ModelWorld {
  ProcessWorld() {
    server.add_collection({"slurm.nebius.ai", "v1", "slurmclusters", "SlurmCluster"});
    server.add_collection({"slurm.nebius.ai", "v1alpha1", "nodesets", "NodeSet"});
    server.add_collection({"policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget"});
    server.add_collection({"networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy"});
  }

  void add_namespace(const std::string& name) {
    send("POST", "/api/v1/namespaces", fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
  }
  void add_cluster(const std::string& name,
                   std::string_view spec = "{}",
                   const std::string& ns = "default") {
    send("POST",
         fmt::format(fmt::runtime(kClusterPaths), ns),
         fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{}}})", name, spec));
  }
  void add_node_set(const std::string& name,
                    std::string_view spec = "{}",
                    const std::string& ns = "default") {
    send("POST",
         fmt::format(fmt::runtime(kNodeSetPaths), ns),
         fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{}}})", name, spec));
  }
  void delete_cluster(const std::string& name, const std::string& ns = "default") {
    send("DELETE", fmt::format(fmt::runtime(kClusterPaths), ns) + "/" + name);
  }
  void set_cluster_status(const std::string& name, std::string_view status) {
    send("PATCH",
         fmt::format(fmt::runtime(kClusterPaths), "default") + "/" + name + "/status",
         fmt::format(R"({{"status":{}}})", status));
  }

  // Labels of an object of a cluster.
  static std::string labels(std::string_view cluster, std::string_view component = "controller") {
    return fmt::format(
        R"("labels":{{"app.kubernetes.io/managed-by":"slurm-operator","app.kubernetes.io/instance":"{}","app.kubernetes.io/component":"{}"}})",
        cluster,
        component);
  }
  void add_config_map(const std::string& name, std::string_view cluster, std::string_view data) {
    send(
        "POST",
        "/api/v1/namespaces/default/configmaps",
        fmt::format(R"({{"metadata":{{"name":"{}",{}}},"data":{}}})", name, labels(cluster), data));
  }
  void add_pod(const std::string& name, std::string_view cluster, std::string_view component) {
    send(
        "POST",
        "/api/v1/namespaces/default/pods",
        fmt::format(
            R"({{"metadata":{{"name":"{}",{}}},"spec":{{"containers":[{{"name":"c","image":"i:1"}}]}}}})",
            name,
            labels(cluster, component)));
  }
  void add_jwt_key(const std::string& cluster) {
    send(
        "POST",
        "/api/v1/namespaces/default/secrets",
        fmt::format(
            R"({{"metadata":{{"name":"{}-rest-jwt-key"}},"data":{{"rest_jwt.key":"a2V5a2V5a2V5"}}}})",
            cluster));
  }

  std::string text(const char* plural, std::string name, const json::Pointer& place) const {
    const json::Value* object = find(plural, "default", std::move(name));
    const json::Value* value = object == nullptr ? nullptr : json::find(*object, place);
    if (value == nullptr) return "";
    return value->as_string() != nullptr ? *value->as_string() : value->dump();
  }
  bool exists(const char* plural, std::string name) const {
    return find(plural, "default", std::move(name)) != nullptr;
  }
  ClusterRef ref(const std::string& name) const {
    return {{"default", name}, kube::Uid(text("slurmclusters", name, {"metadata", "uid"}))};
  }

  FakeDaemons daemons;
};

// The stores of the model, filled.
struct StoresTest : ::testing::Test {
  ~StoresTest() override { world.finish(); }

  void fill() {
    stores.start(world.work);
    world.wait_until([this] { return stores.synced(); });
  }
  // Lets the watches deliver what was written.
  void settle_down() { world.pass(std::chrono::seconds(1)); }
  Stores::ObjectPointer cluster(const std::string& name) const {
    return stores.clusters().find({"default", name});
  }

  ProcessWorld world;
  Stores stores{world.access, {}};
};

}  // namespace slurmop::process::testing
