// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/network_policies.h"

#include "operator/parts/component_meta.h"
#include "operator/parts/container_settings.h"
#include "operator/parts/endpoints.h"

#include <optional>
#include <utility>

namespace slurmop::parts {
namespace {

json::Object labelled(const objects::Labels& labels) {
  return {{"matchLabels", objects::string_map(labels)}};
}

// All pods of the cluster: the labels of every component without the component itself.
objects::Labels cluster_selector(const Cluster& cluster) {
  objects::Labels labels = objects::selector(cluster.names.cluster(), "");
  labels.erase(std::string(objects::kComponent));
  return labels;
}

json::Array from_operator() {
  return {json::Object{{"namespaceSelector", json::Object{}},
                       {"podSelector", labelled({{"app.kubernetes.io/name", "soperator"}})}}};
}

json::Array from_all_pods() {
  return {json::Object{{"namespaceSelector", json::Object{}}}};
}

// One allowed kind of connection. Without peers it is allowed from everywhere, without a port to all
// ports.
struct Allowed {
  std::optional<json::Array> from = {};
  std::optional<std::int64_t> port = {};
};

json::Object rule(const Allowed& allowed) {
  json::Object rule;
  if (allowed.from) rule.set("from", *allowed.from);
  if (allowed.port) rule.set("ports", json::Array{json::Object{{"port", *allowed.port}}});
  return rule;
}

json::Object policy(const objects::Meta& meta,
                    const objects::Labels& pods,
                    const Allowed& allowed) {
  json::Object whole = objects::object(kube::kNetworkPolicies, meta);
  whole.set("spec",
            json::Object{{"podSelector", labelled(pods)},
                         {"policyTypes", json::Array{"Ingress"}},
                         {"ingress", json::Array{rule(allowed)}}});
  return whole;
}

json::Object cluster_policy(const Cluster& cluster) {
  const objects::Labels pods = cluster_selector(cluster);
  json::Array peers{json::Object{{"podSelector", labelled(pods)}}};
  return policy(component_meta(cluster, cluster.names.cluster() + "-internal", "common"),
                pods,
                {.from = std::move(peers)});
}

json::Object component_policy(const Cluster& cluster,
                              std::string_view component,
                              const Allowed& allowed) {
  return policy(
      component_meta(cluster, cluster.names.cluster() + "-" + std::string(component), component),
      objects::selector(cluster.names.cluster(), component),
      allowed);
}

}  // namespace

Objects network_policies(const Cluster& cluster) {
  const api::SlurmNodes& nodes = cluster.spec().slurmNodes;
  const std::int64_t rest_port = settings_of(nodes.rest.rest).port.value_or(kRestPort);
  return {cluster_policy(cluster),
          component_policy(cluster, "login", {.port = sshd_port(cluster)}),
          component_policy(cluster, "controller", {.from = from_operator(), .port = kAgentPort}),
          component_policy(
              cluster,
              "rest",
              {.from = nodes.rest.enabled ? from_all_pods() : from_operator(), .port = rest_port})};
}

}  // namespace slurmop::parts
