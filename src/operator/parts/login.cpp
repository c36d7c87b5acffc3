// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/object.h"
#include "operator/objects/workload.h"
#include "operator/parts/component_meta.h"
#include "operator/parts/config_annotation.h"
#include "operator/parts/endpoints.h"
#include "operator/parts/login_pod.h"
#include "operator/parts/parts.h"

#include <string>
#include <string_view>
#include <utility>

namespace slurmop::parts {
namespace {

constexpr std::string_view kComponentName = "login";
constexpr std::int64_t kServicePort = 22;

const api::Login& spec_of(const Cluster& cluster) {
  return cluster.spec().slurmNodes.login;
}

objects::Labels pods_of(const Cluster& cluster) {
  return objects::selector(cluster.names.cluster(), kComponentName);
}

void set_load_balancer(const api::Login& login, json::Object& spec) {
  if (!login.sshdServiceLoadBalancerIP.empty()) {
    spec.set("loadBalancerIP", login.sshdServiceLoadBalancerIP);
  }
  if (!login.sshdServiceLoadBalancerSourceRanges.empty()) {
    spec.set("loadBalancerSourceRanges",
             objects::strings(login.sshdServiceLoadBalancerSourceRanges));
  }
}

// The address for users: only of pods that accept logins.
json::Object user_service(const Cluster& cluster) {
  const api::Login& login = spec_of(cluster);
  const bool has_node_port = login.sshdServiceType != "ClusterIP";
  objects::Meta meta = component_meta(cluster, cluster.names.login_service(), kComponentName);
  meta.annotations = login.sshdServiceAnnotations;
  json::Object service =
      objects::service(meta,
                       objects::ServiceKind::cluster_ip,
                       pods_of(cluster),
                       {{.name = "ssh",
                         .port = kServicePort,
                         .target_port = sshd_port(cluster),
                         .node_port = has_node_port ? login.sshdServiceNodePort : 0}});
  json::Object& spec = *service.find("spec")->as_object();
  spec.erase("publishNotReadyAddresses");
  spec.set("type", login.sshdServiceType);
  if (login.sshdServiceType == "LoadBalancer") set_load_balancer(login, spec);
  return service;
}

// Gives every login pod its name.
json::Object headless_service(const Cluster& cluster) {
  return objects::service(component_meta(cluster, cluster.names.login_headless(), kComponentName),
                          objects::ServiceKind::headless,
                          pods_of(cluster),
                          {{.name = "ssh", .port = sshd_port(cluster)}});
}

json::Object login_set(const Cluster& cluster, const conf::File& config) {
  LoginPod pod = login_pod(cluster);
  auto annotations = config_annotation(config);
  annotations.emplace("kubectl.kubernetes.io/default-container", "sshd");
  return objects::stateful_set(
      {.meta = component_meta(cluster, cluster.names.login(), kComponentName),
       .selector = pods_of(cluster),
       .service = cluster.names.login_headless(),
       .replicas = spec_of(cluster).size,
       .pods = {.labels = objects::labels(cluster.names.cluster(), kComponentName),
                .annotations = std::move(annotations),
                .spec = std::move(pod.spec)},
       .claim_templates = std::move(pod.claim_templates)});
}

}  // namespace

// A single login pod has no disruption budget: it would block the drain of its node for ever.
base::Result<Objects> login(const Cluster& cluster) {
  TRY(const conf::File config, sshd_config(cluster));
  Objects all = {
      objects::config_map(component_meta(cluster, cluster.names.ssh_configs(), kComponentName),
                          {{config.name(), std::string(config.reveal())}}),
      user_service(cluster),
      headless_service(cluster),
      login_set(cluster, config)};
  if (spec_of(cluster).size > 1) {
    all.push_back(objects::disruption_budget(
        component_meta(cluster, cluster.names.login() + "-pdb", kComponentName),
        pods_of(cluster),
        1));
  }
  return all;
}

}  // namespace slurmop::parts
