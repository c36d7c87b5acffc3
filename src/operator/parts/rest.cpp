// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/passed_on.h"
#include "operator/objects/workload.h"
#include "operator/parts/component_meta.h"
#include "operator/parts/config_annotation.h"
#include "operator/parts/container_settings.h"
#include "operator/parts/home_folders.h"
#include "operator/parts/parts.h"
#include "operator/parts/pod_placement.h"

#include <fmt/format.h>

#include <utility>

namespace slurmop::parts {
namespace {

constexpr std::string_view kComponentName = "rest";
constexpr std::int64_t kUser = 64031;  // slurmrestd runs neither as root nor as SlurmUser

const api::Rest& spec_of(const Cluster& cluster) {
  return cluster.spec().slurmNodes.rest;
}

std::int64_t container_port(const Cluster& cluster) {
  return settings_of(spec_of(cluster).rest).port.value_or(kRestPort);
}

objects::Container slurmrestd(const Cluster& cluster) {
  const api::Rest& spec = spec_of(cluster);
  objects::Container container{
      .name = "slurmrestd",
      .image = cluster.defaults.slurm_image,
      .pull_policy = cluster.defaults.pull_policy,
      .command = {"slurmrestd"},
      .args = {"-a",
               "rest_auth/jwt",
               "-s",
               "openapi/slurmctld,openapi/slurmdbd",
               "-t",
               fmt::format("{}", spec.threadCount),
               "--max-connections",
               fmt::format("{}", spec.maxConnections),
               fmt::format("0.0.0.0:{}", container_port(cluster))},
      // The daemon authenticates with the token of each request, so the pod has no key.
      // It would leave the System V and file namespaces of its parent, which the default seccomp
      // profile forbids; the container has its own.
      .env = {objects::env("SLURM_JWT", "daemon"),
              objects::env("SLURMRESTD_SECURITY", "disable_unshare_sysv,disable_unshare_files")},
      .ports = {{"http", container_port(cluster)}},
      .security = objects::unprivileged({}),
      .readiness = objects::tcp_probe(container_port(cluster), 2),
      .mounts = {{.volume = "config", .path = "/etc/slurm", .read_only = true}, users_mount()}};
  use_settings(settings_of(spec.rest), objects::CpuLimit::none, container);
  return container;
}

json::Object pod(const Cluster& cluster) {
  const api::Rest& spec = spec_of(cluster);
  objects::PodSpec pod{
      .init_containers = objects::passed_on(spec.customInitContainers),
      .containers = {objects::container(slurmrestd(cluster))},
      .volumes = {objects::config_volume("config", cluster.names.rest_config()),
                  users_volume(cluster)},
      .service_account = cluster.names.service_account(kComponentName),
      .pull_secrets = objects::passed_on(settings_of(spec.rest).pull_secrets),
      .security = {{"runAsNonRoot", true}, {"runAsUser", kUser}, {"runAsGroup", kUser}}};
  place(settle::placement_of(
            cluster.spec(), spec.k8sNodeFilterName, spec.priorityClass, spec.hostUsers),
        pod);
  return objects::pod_spec(pod);
}

// slurmrestd reads its file at start only, so the hash of the file in the template restarts it.
json::Object deployment(const Cluster& cluster, const conf::File& file) {
  return objects::deployment(
      {.meta = component_meta(cluster, cluster.names.rest(), kComponentName),
       .selector = objects::selector(cluster.names.cluster(), kComponentName),
       .pods = {.labels = objects::labels(cluster.names.cluster(), kComponentName),
                .annotations = config_annotation(file),
                .spec = pod(cluster)}});
}

json::Object service(const Cluster& cluster) {
  return objects::service(
      component_meta(cluster, cluster.names.rest_service(), kComponentName),
      objects::ServiceKind::cluster_ip,
      objects::selector(cluster.names.cluster(), kComponentName),
      {{.name = "http", .port = kRestPort, .target_port = container_port(cluster)}});
}

}  // namespace

// The operator itself needs slurmrestd, so it always runs; slurmNodes.rest.enabled decides only who
// else may connect (network_policies.h).
base::Result<Objects> rest(const Cluster& cluster) {
  TRY(const conf::File file, rest_slurm_conf(cluster));
  json::Object config =
      objects::config_map(component_meta(cluster, cluster.names.rest_config(), kComponentName),
                          {{file.name(), std::string(file.reveal())}});
  return Objects{std::move(config), service(cluster), deployment(cluster, file)};
}

}  // namespace slurmop::parts
