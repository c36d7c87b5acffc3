// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/controller_pod.h"

#include "operator/objects/passed_on.h"
#include "operator/parts/container_settings.h"
#include "operator/parts/home_folders.h"
#include "operator/parts/key_files.h"
#include "operator/parts/munge_sidecar.h"
#include "operator/parts/pod_placement.h"
#include "operator/parts/pod_volumes.h"
#include "operator/parts/scripts_controller.h"

#include <fmt/format.h>

#include <utility>

namespace slurmop::parts {
namespace {

constexpr std::string_view kStateFolder = "/var/spool/slurmctld";
// What the start scripts need to give folders to SlurmUser and to become SlurmUser. None is left
// afterwards.
const std::vector<std::string> kCapabilities = {"CHOWN", "SETUID", "SETGID"};

const api::Controller& spec_of(const Cluster& cluster) {
  return cluster.spec().slurmNodes.controller;
}

// The state of slurmctld, and the additional mounts of the resource.
PodVolumes state_and_custom_volumes(const Cluster& cluster) {
  PodVolumes volumes{.claim_labels = objects::labels(cluster.names.cluster(), "controller")};
  const api::ControllerVolumes& given = spec_of(cluster).volumes;
  const api::NodeVolume own{.volumeSourceName = "",
                            .volumeClaimTemplateSpec = objects::claim_spec("1Gi")};
  add_volume(cluster,
             given.spool.value_or(own),
             {.volume = "spool", .path = std::string(kStateFolder)},
             volumes);
  add_custom_mounts(cluster, given.customMounts, volumes);
  return volumes;
}

// What slurmctld and the agent, which starts a slurmctld to check new files, have in common.
objects::Container slurm_container(const Cluster& cluster,
                                   std::string name,
                                   const PodVolumes& volumes) {
  objects::Container container{.name = std::move(name),
                               .image = cluster.defaults.slurm_image,
                               .pull_policy = cluster.defaults.pull_policy,
                               .security = objects::unprivileged(kCapabilities),
                               .mounts = {keys_mount(), users_mount()}};
  if (has_munge(cluster)) {
    container.mounts.push_back(munge_socket_mount());
  } else {
    container.env.push_back(key_variable());
  }
  container.mounts.insert(container.mounts.end(), volumes.mounts.begin(), volumes.mounts.end());
  return container;
}

objects::Container slurmctld(const Cluster& cluster, const PodVolumes& volumes) {
  objects::Container container = slurm_container(cluster, "slurmctld", volumes);
  container.command = script(script_of_slurm_user(kStartSlurmctld), "slurmctld");
  container.ports = {{"slurmctld", slurmctld_port(cluster)}};
  // No liveness probe: slurmctld does not answer while DNS is down, and a restart would not help.
  container.readiness = objects::http_probe("/readyz", slurmctld_port(cluster), 2);
  container.mounts.push_back({.volume = "active", .path = "/etc/slurm", .read_only = true});
  use_settings(settings_of(spec_of(cluster).slurmctld), objects::CpuLimit::none, container);
  return container;
}

// slurmctld starts when the agent has activated a first configuration, however long that takes: an
// invalid one is reported in the status of the cluster, and a restart of the agent would not help.
json::Object agent_startup() {
  constexpr int kAttempts = 24 * 3600;
  json::Object probe = objects::http_probe("/healthz", kAgentPort, 1);
  probe.set("failureThreshold", kAttempts);
  return probe;
}

// The image is slurmctld's: new files are checked by the Slurm that is going to read them.
json::Object config_agent(const Cluster& cluster,
                          const PodVolumes& volumes,
                          const objects::Container& slurmctld) {
  objects::Container agent = slurm_container(cluster, "config-agent", volumes);
  agent.image = slurmctld.image;
  agent.pull_policy = slurmctld.pull_policy;
  agent.command = script(script_of_slurm_user(kStartAgent), "config-agent");
  agent.args = {"--candidate",
                "/config/candidate",
                "--active",
                "/etc/slurm",
                "--saved",
                fmt::format("{}/.slurm-operator", kStateFolder),
                "--listen",
                fmt::format(":{}", kAgentPort)};
  agent.ports = {{"agent", kAgentPort}};
  agent.startup = agent_startup();
  agent.mounts.push_back({.volume = "candidate", .path = "/config/candidate", .read_only = true});
  agent.mounts.push_back({.volume = "active", .path = "/etc/slurm"});
  agent.sidecar = true;
  return objects::container(agent);
}

KeyFiles key_files(const objects::Container& slurmctld) {
  return {.jwt_key = true,
          .owner = "slurm",
          .image = slurmctld.image,
          .pull_policy = slurmctld.pull_policy,
          .resources = slurmctld.resources};
}

void add_volumes(const Cluster& cluster, const KeyFiles& keys, objects::PodSpec& pod) {
  pod.volumes.push_back(objects::config_volume("candidate", cluster.names.slurm_configs()));
  pod.volumes.push_back(objects::empty_dir("active"));
  pod.volumes.push_back(users_volume(cluster));
  add_key_volumes(cluster, keys, pod.volumes);
  if (has_munge(cluster)) add_munge_volumes(cluster, pod.volumes);
}

// In the order in which they start.
void add_init_containers(const Cluster& cluster,
                         const PodVolumes& volumes,
                         const objects::Container& slurmctld,
                         objects::PodSpec& pod) {
  pod.init_containers = objects::passed_on(spec_of(cluster).customInitContainers);
  pod.init_containers.push_back(keys_container(cluster, key_files(slurmctld)));
  if (has_munge(cluster)) {
    pod.init_containers.push_back(munge_sidecar(cluster, settings_of(spec_of(cluster).munge)));
  }
  pod.init_containers.push_back(config_agent(cluster, volumes, slurmctld));
}

json::Array pull_secrets(const Cluster& cluster) {
  json::Array all = settings_of(spec_of(cluster).slurmctld).pull_secrets;
  const json::Array more = settings_of(spec_of(cluster).munge).pull_secrets;
  all.insert(all.end(), more.begin(), more.end());
  return objects::passed_on(all);
}

}  // namespace

std::int64_t slurmctld_port(const Cluster& cluster) {
  return settings_of(spec_of(cluster).slurmctld).port.value_or(kSlurmctldPort);
}

ControllerPod controller_pod(const Cluster& cluster) {
  const api::Controller& spec = spec_of(cluster);
  const PodVolumes volumes = state_and_custom_volumes(cluster);
  const objects::Container daemon = slurmctld(cluster, volumes);
  objects::PodSpec pod{.volumes = volumes.volumes,
                       .service_account = spec.serviceAccountName.empty()
                                              ? cluster.names.service_account("controller")
                                              : spec.serviceAccountName,
                       .pull_secrets = pull_secrets(cluster)};
  place(settle::placement_of(
            cluster.spec(), spec.k8sNodeFilterName, spec.priorityClass, spec.hostUsers),
        pod);
  add_init_containers(cluster, volumes, daemon, pod);
  pod.containers.push_back(objects::container(daemon));
  add_volumes(cluster, key_files(daemon), pod);
  return {.pods = {.labels = objects::labels(cluster.names.cluster(), "controller"),
                   .annotations = {{"kubectl.kubernetes.io/default-container", "slurmctld"}},
                   .spec = objects::pod_spec(pod)},
          .claim_templates = volumes.claim_templates};
}

}  // namespace slurmop::parts
