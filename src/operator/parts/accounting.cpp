// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/object.h"
#include "operator/objects/passed_on.h"
#include "operator/objects/workload.h"
#include "operator/parts/component_meta.h"
#include "operator/parts/config_annotation.h"
#include "operator/parts/container_settings.h"
#include "operator/parts/database.h"
#include "operator/parts/endpoints.h"
#include "operator/parts/key_files.h"
#include "operator/parts/munge_sidecar.h"
#include "operator/parts/parts.h"
#include "operator/parts/pod_placement.h"

#include <string>
#include <string_view>
#include <utility>

namespace slurmop::parts {
namespace {

constexpr std::string_view kComponentName = "accounting";

// slurmdbd requires that its configuration belongs to its account with mode 0600, so the file is
// copied. "$1" is the path of the program that prints the password. slurmdbd repeats connections to
// the database by itself.
constexpr std::string_view kRunSlurmdbd = R"bash(umask 077
program=$1
shift
mkdir -p /etc/slurm /run/slurmdbd
chown root:root /etc/slurm /run/slurmdbd
chmod 0755 /etc/slurm /run/slurmdbd
rm -f /etc/slurm/slurmdbd.conf
install -m 0600 /config/slurmdbd/slurmdbd.conf /etc/slurm/slurmdbd.conf
install -m 0400 /secrets/database-password/password /run/slurmdbd/password
cat > "$program" <<'PROGRAM'
#!/bin/bash
printf 'TOKEN=%s\n' "$(< /run/slurmdbd/password)"
PROGRAM
chmod 0500 "$program"
chown slurm:slurm /etc/slurm/slurmdbd.conf /run/slurmdbd/password "$program" /run/slurmdbd
exec setpriv --reuid=slurm --regid=slurm --init-groups slurmdbd -D "$@"
)bash";

const api::Accounting& spec_of(const Cluster& cluster) {
  return cluster.spec().slurmNodes.accounting;
}

objects::Labels pods_of(const Cluster& cluster) {
  return objects::selector(cluster.names.cluster(), kComponentName);
}

objects::Container slurmdbd(const Cluster& cluster) {
  const std::int64_t port = slurmdbd_port(cluster);
  objects::Container container{
      .name = "slurmdbd",
      .image = cluster.defaults.slurm_image,
      .pull_policy = cluster.defaults.pull_policy,
      .command = script(kRunSlurmdbd, "slurmdbd"),
      .args = {std::string(kDatabasePasswordProgram)},
      .ports = {{"slurmdbd", port}},
      .security = objects::unprivileged({"CHOWN", "SETUID", "SETGID"}),
      .readiness = objects::tcp_probe(port, 5),
      .mounts = {{.volume = "config", .path = "/config/slurmdbd", .read_only = true},
                 {.volume = "database-password",
                  .path = std::string(kPasswordFolder),
                  .read_only = true},
                 keys_mount()},
  };
  if (has_munge(cluster)) {
    container.mounts.push_back(munge_socket_mount());
  } else {
    container.env.push_back(key_variable());
  }
  use_settings(settings_of(spec_of(cluster).slurmdbd), objects::CpuLimit::none, container);
  return container;
}

KeyFiles key_files(const objects::Container& slurmdbd) {
  return {.jwt_key = true,
          .owner = "slurm",
          .image = slurmdbd.image,
          .pull_policy = slurmdbd.pull_policy};
}

json::Array pull_secrets(const api::Accounting& accounting) {
  json::Array all = objects::passed_on(settings_of(accounting.slurmdbd).pull_secrets);
  for (json::Value& secret : objects::passed_on(settings_of(accounting.munge).pull_secrets)) {
    all.push_back(std::move(secret));
  }
  return all;
}

json::Object pod(const Cluster& cluster) {
  const api::Accounting& accounting = spec_of(cluster);
  const objects::Container daemon = slurmdbd(cluster);
  objects::PodSpec pod{
      .init_containers = objects::passed_on(accounting.customInitContainers),
      .containers = {objects::container(daemon)},
      .volumes = {objects::config_volume("config", cluster.names.slurmdbd_config()),
                  password_volume(cluster)},
      .service_account = cluster.names.service_account(kComponentName),
      .hostname = std::string(kComponentName),
      .pull_secrets = pull_secrets(accounting),
  };
  pod.init_containers.push_back(keys_container(cluster, key_files(daemon)));
  add_key_volumes(cluster, key_files(daemon), pod.volumes);
  if (has_munge(cluster)) {
    pod.init_containers.push_back(munge_sidecar(cluster, settings_of(accounting.munge)));
    add_munge_volumes(cluster, pod.volumes);
  }
  place(settle::placement_of(cluster.spec(),
                             accounting.k8sNodeFilterName,
                             accounting.priorityClass,
                             accounting.hostUsers),
        pod);
  return objects::pod_spec(pod);
}

json::Object slurmdbd_deployment(const Cluster& cluster, const conf::File& config) {
  auto annotations = config_annotation(config);
  annotations.emplace("kubectl.kubernetes.io/default-container", "slurmdbd");
  return objects::deployment(
      {.meta = component_meta(cluster, cluster.names.accounting(), kComponentName),
       .selector = pods_of(cluster),
       .replicas = 1,
       .rollout = objects::Rollout::recreate,
       .pods = {.labels = objects::labels(cluster.names.cluster(), kComponentName),
                .annotations = std::move(annotations),
                .spec = pod(cluster)}});
}

json::Object slurmdbd_service(const Cluster& cluster) {
  return objects::service(
      component_meta(cluster, cluster.names.accounting_service(), kComponentName),
      objects::ServiceKind::cluster_ip,
      pods_of(cluster),
      {{.name = "slurmdbd", .port = slurmdbd_port(cluster)}});
}

}  // namespace

base::Result<Objects> accounting(const Cluster& cluster) {
  if (!cluster.has_accounting()) return Objects{};
  TRY(const conf::File config, slurmdbd_conf(cluster));
  if (config.is_secret()) {
    return base::Error(base::Kind::internal,
                       "slurmdbd.conf contains a password and cannot be in a ConfigMap");
  }
  Objects all = {
      objects::config_map(component_meta(cluster, cluster.names.slurmdbd_config(), kComponentName),
                          {{config.name(), std::string(config.reveal())}}),
      slurmdbd_service(cluster),
      slurmdbd_deployment(cluster, config)};
  if (cluster.has_own_database()) {
    for (json::Object& object : database(cluster)) all.push_back(std::move(object));
  }
  return all;
}

}  // namespace slurmop::parts
