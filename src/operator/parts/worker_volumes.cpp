// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/worker_volumes.h"

#include "operator/objects/workload.h"
#include "operator/parts/parts.h"
#include "operator/parts/pod_volumes.h"

#include <utility>

namespace slurmop::parts {
namespace {

constexpr const char* kSpool = "spool";

std::string claim_name(const std::string& pod, const std::string& volume) {
  return pod + "-" + volume;
}

json::Object spool_volume(const settle::WorkerSet& set) {
  const json::Value& spool = set.spec.slurmd.volumes.spool;
  if (spool.as_object() == nullptr || spool.as_object()->empty()) {
    return objects::empty_dir(kSpool);
  }
  return objects::source_volume(kSpool, spool);
}

}  // namespace

void add_worker_volumes(const settle::WorkerSet& set,
                        const std::string& pod,
                        json::Array& volumes) {
  const api::NodeSetVolumes& given = set.spec.slurmd.volumes;
  volumes.push_back(spool_volume(set));
  volumes.push_back(objects::memory_dir("dev-shm", given.sharedMemorySize.to_string()));
  for (const api::NodeSetMount& mount : given.customVolumeMounts) {
    const std::string name = custom_volume_name(mount.name);
    volumes.push_back(mount.volumeClaimTemplateSpec.is_null()
                          ? objects::source_volume(name, mount.volumeSource)
                          : objects::claim_volume(name, claim_name(pod, name)));
  }
}

std::vector<objects::Mount> worker_mounts(const settle::WorkerSet& set) {
  std::vector<objects::Mount> mounts = {{.volume = kSpool, .path = "/var/spool/slurmd"},
                                        {.volume = "dev-shm", .path = "/dev/shm"}};
  for (const api::NodeSetMount& mount : set.spec.slurmd.volumes.customVolumeMounts) {
    mounts.push_back({.volume = custom_volume_name(mount.name),
                      .path = mount.mountPath,
                      .read_only = mount.readOnly,
                      .sub_path = mount.subPath});
  }
  return mounts;
}

Objects worker_claims(const Cluster& cluster, const WorkerSet& set, std::int64_t ordinal) {
  objects::Labels labels = objects::labels(cluster.names.cluster(), set.component);
  labels.emplace(objects::kNodeSetLabel, set.name);
  const bool is_kept =
      set.spec.slurmd.volumes.persistentVolumeClaimRetentionPolicy.whenDeleted == "Retain";
  Objects all;
  for (const api::NodeSetMount& mount : set.spec.slurmd.volumes.customVolumeMounts) {
    if (mount.volumeClaimTemplateSpec.is_null()) continue;
    objects::Meta meta{.ns = cluster.names.ns(),
                       .name = claim_name(set.pod_name(ordinal), custom_volume_name(mount.name)),
                       .labels = labels};
    if (!is_kept) meta.owner = set.owner;
    all.push_back(objects::claim(meta, mount.volumeClaimTemplateSpec));
  }
  return all;
}

}  // namespace slurmop::parts
