// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/pod_volumes.h"

#include "operator/objects/workload.h"

#include <algorithm>
#include <array>
#include <utility>

namespace slurmop::parts {
namespace {

// All volumes that the operator names itself.
constexpr std::array<std::string_view, 20> kOwnVolumes = {
    "active",    "candidate", "config",       "data",       "database-password",
    "dev-shm",   "home",      "host-keys",    "jwt-key",    "keys",
    "munge-key", "password",  "munge-socket", "run-mysqld", "run-slurm",
    "slurm-key", "spool",     "ssh-config",   "ssh-keys",   "users"};

}  // namespace

json::Value volume_source(const settle::Cluster& cluster, std::string_view name) {
  const auto& sources = cluster.spec().volumeSources;
  const auto found = std::ranges::find(sources, name, &api::NamedObject::name);
  return found == sources.end() ? json::Value() : found->content;
}

void add_volume(const settle::Cluster& cluster,
                const api::NodeVolume& given,
                const objects::Mount& mount,
                PodVolumes& volumes) {
  if (given.volumeSourceName.empty()) {
    volumes.claim_templates.push_back(
        objects::claim_template(mount.volume, volumes.claim_labels, given.volumeClaimTemplateSpec));
  } else {
    volumes.volumes.push_back(
        objects::source_volume(mount.volume, volume_source(cluster, given.volumeSourceName)));
  }
  volumes.mounts.push_back(mount);
}

void add_custom_mounts(const settle::Cluster& cluster,
                       const std::vector<api::VolumeMount>& given,
                       PodVolumes& volumes) {
  for (const api::VolumeMount& one : given) {
    add_volume(cluster,
               {.volumeSourceName = one.volumeSourceName,
                .volumeClaimTemplateSpec = one.volumeClaimTemplateSpec},
               {.volume = custom_volume_name(one.name),
                .path = one.mountPath,
                .read_only = one.readOnly,
                .sub_path = one.subPath},
               volumes);
  }
}

std::string custom_volume_name(std::string_view name) {
  const bool is_own = std::ranges::find(kOwnVolumes, name) != kOwnVolumes.end();
  return is_own ? "custom-" + std::string(name) : std::string(name);
}

}  // namespace slurmop::parts
