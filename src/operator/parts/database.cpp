// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/database.h"

#include "operator/objects/object.h"
#include "operator/objects/passed_on.h"
#include "operator/objects/workload.h"
#include "operator/parts/component_meta.h"
#include "operator/parts/container_settings.h"
#include "operator/parts/database_script.h"
#include "operator/parts/endpoints.h"
#include "operator/parts/pod_placement.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace slurmop::parts {
namespace {

constexpr std::string_view kComponentName = "accounting-db";
constexpr const char* kDefaultSize = "10Gi";
constexpr std::int64_t kMebibyte = 1 << 20;
constexpr std::int64_t kGraceSeconds = 120;  // MariaDB writes its buffers when it ends

const api::Accounting& accounting_of(const Cluster& cluster) {
  return cluster.spec().slurmNodes.accounting;
}

api::MariaDb spec_of(const Cluster& cluster) {
  return accounting_of(cluster).mariadbOperator.value_or(api::MariaDb{});
}

objects::Labels pods_of(const Cluster& cluster) {
  return objects::selector(cluster.names.cluster(), kComponentName);
}

// Half of the requested memory.
std::int64_t buffer_pool_bytes(const api::MariaDb& spec) {
  const auto memory = spec.resources.find("memory");
  if (memory == spec.resources.end()) return 128 * kMebibyte;
  return std::max(memory->second.value() / 2, 16 * kMebibyte);
}

objects::Container mariadb(const Cluster& cluster, const api::MariaDb& spec) {
  const std::int64_t port = database_port(cluster);
  objects::Container container{
      .name = "mariadb",
      .image = cluster.defaults.database_image,
      .pull_policy = cluster.defaults.pull_policy,
      .command = script(kRunDatabase, "mariadb"),
      .args = {std::to_string(port), std::to_string(buffer_pool_bytes(spec))},
      .ports = {{"mysql", port}},
      .security = objects::unprivileged({"CHOWN", "SETUID", "SETGID"}),
      .readiness = objects::tcp_probe(port, 5),
      .mounts = {{.volume = "data", .path = "/var/lib/mysql"},
                 {.volume = "database-password",
                  .path = std::string(kPasswordFolder),
                  .read_only = true}},
  };
  use_settings(
      settings_of(accounting_of(cluster).mariadbOperator), objects::CpuLimit::none, container);
  if (spec.securityContext.as_object() != nullptr) {
    container.security = *objects::passed_on(spec.securityContext).as_object();
  }
  return container;
}

json::Object pod(const Cluster& cluster, const api::MariaDb& spec) {
  const api::Accounting& accounting = accounting_of(cluster);
  objects::PodSpec pod{
      .containers = {objects::container(mariadb(cluster, spec))},
      .volumes = {password_volume(cluster)},
      .service_account = cluster.names.service_account("accounting"),
      .pull_secrets = objects::passed_on(spec.imagePullSecrets),
      .grace_seconds = kGraceSeconds,
  };
  if (spec.storage.ephemeral.value_or(false)) pod.volumes.push_back(objects::empty_dir("data"));
  if (spec.podSecurityContext.as_object() != nullptr) {
    pod.security = *objects::passed_on(spec.podSecurityContext).as_object();
  }
  place(settle::placement_of(
            cluster.spec(),
            accounting.k8sNodeFilterName,
            spec.priorityClassName.empty() ? accounting.priorityClass : spec.priorityClassName,
            accounting.hostUsers),
        pod);
  return objects::pod_spec(pod);
}

json::Value claim_of(const api::MariaDbStorage& storage) {
  if (!storage.volumeClaimTemplate.is_null()) return storage.volumeClaimTemplate;
  json::Object spec =
      objects::claim_spec(storage.size ? storage.size->to_string() : std::string(kDefaultSize));
  if (!storage.storageClassName.empty()) spec.set("storageClassName", storage.storageClassName);
  return spec;
}

json::Array claim_templates(const Cluster& cluster, const api::MariaDbStorage& storage) {
  if (storage.ephemeral.value_or(false)) return {};
  return {objects::claim_template(
      "data", objects::labels(cluster.names.cluster(), kComponentName), claim_of(storage))};
}

json::Object database_set(const Cluster& cluster) {
  const api::MariaDb spec = spec_of(cluster);
  return objects::stateful_set(
      {.meta = component_meta(cluster, cluster.names.database(), kComponentName),
       .selector = pods_of(cluster),
       .service = cluster.names.database_service(),
       .replicas = 1,
       .pods = {.labels = objects::labels(cluster.names.cluster(), kComponentName),
                .spec = pod(cluster, spec)},
       .claim_templates = claim_templates(cluster, spec.storage)});
}

json::Object database_service(const Cluster& cluster) {
  return objects::service(component_meta(cluster, cluster.names.database_service(), kComponentName),
                          objects::ServiceKind::cluster_ip,
                          pods_of(cluster),
                          {{.name = "mysql", .port = database_port(cluster)}});
}

// Which key of which Secret has the password.
api::SecretKey password_key(const Cluster& cluster) {
  const auto& external = accounting_of(cluster).externalDB;
  if (!cluster.has_own_database() && external.passwordSecretKeyRef) {
    return *external.passwordSecretKeyRef;
  }
  return {.name = cluster.names.database_password(), .key = "password"};
}

}  // namespace

Objects database(const Cluster& cluster) {
  return {database_service(cluster), database_set(cluster)};
}

json::Object password_volume(const Cluster& cluster) {
  const api::SecretKey key = password_key(cluster);
  json::Object volume = objects::secret_volume("database-password", key.name);
  volume.find("secret")->as_object()->set(
      "items", json::Array{json::Object{{"key", key.key}, {"path", "password"}}});
  return volume;
}

}  // namespace slurmop::parts
