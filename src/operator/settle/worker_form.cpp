// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/worker_form.h"

#include <algorithm>

namespace slurmop::settle {
namespace {

using Sources = std::vector<api::NamedObject>;

// Null if there is no source of that name; validation reports it.
json::Value named_source(const Sources& sources, const std::string& name) {
  const auto found = std::ranges::find(sources, name, &api::NamedObject::name);
  return found == sources.end() ? json::Value() : found->content;
}

// A claim template becomes a claim that lives as long as the pod, as the spool directory does.
json::Value volume_source(const Sources& sources, const std::optional<api::NodeVolume>& volume) {
  if (!volume) return {};
  if (!volume->volumeSourceName.empty()) return named_source(sources, volume->volumeSourceName);
  return json::Object{{"ephemeral",
                       json::Object{{"volumeClaimTemplate",
                                     json::Object{{"spec", volume->volumeClaimTemplateSpec}}}}}};
}

api::NodeSetMount mount_of(const Sources& sources, const api::VolumeMount& mount) {
  api::NodeSetMount out{.name = mount.name,
                        .mountPath = mount.mountPath,
                        .subPath = mount.subPath,
                        .readOnly = mount.readOnly,
                        .volumeSource = {},
                        .volumeClaimTemplateSpec = mount.volumeClaimTemplateSpec};
  if (!mount.volumeSourceName.empty()) {
    out.volumeSource = named_source(sources, mount.volumeSourceName);
  }
  return out;
}

api::ContainerSecurity security_of(const api::Container& container) {
  return {.limitsConfig = container.securityLimitsConfig,
          .appArmorProfile = container.appArmorProfile,
          .procMount = container.procMount};
}

api::NodeSetContainer sidecar_of(const api::Container& container) {
  api::NodeSetContainer out;
  out.image.pullPolicy = container.imagePullPolicy;
  out.resources = container.resources;
  out.livenessProbe = container.livenessProbe;
  out.readinessProbe = container.readinessProbe;
  out.security = security_of(container);
  return out;
}

void set_slurmd(api::NodeSetSlurmd& slurmd, const api::Container& container) {
  slurmd.customEnv = container.customEnv;
  slurmd.image.pullPolicy = container.imagePullPolicy;
  slurmd.livenessProbe = container.livenessProbe;
  slurmd.readinessProbe = container.readinessProbe;
  slurmd.resources = container.resources;
  slurmd.security = security_of(container);
  if (container.port) slurmd.port = *container.port;
}

}  // namespace

api::NodeSetSpec node_set_form(const api::SlurmClusterSpec& spec, const api::Worker& worker) {
  const Sources& sources = spec.volumeSources;
  api::NodeSetSpec out;
  out.customInitContainers = worker.customInitContainers;
  out.drainTimeout = worker.drainTimeout;
  out.enableHostUserNamespace = worker.hostUsers.value_or(false);
  out.gpu.nvidia.gdrCopyEnabled = worker.enableGDRCopy;
  out.maxUnavailable = worker.maxUnavailable;
  out.nodeConfig.dynamic = worker.slurmNodeExtra;
  out.priorityClass = worker.priorityClass;
  out.replicas = worker.size;
  out.workerAnnotations = worker.workerAnnotations;
  if (worker.munge) out.munge = sidecar_of(*worker.munge);
  if (worker.slurmd) {
    set_slurmd(out.slurmd, *worker.slurmd);
    out.imagePullSecrets = worker.slurmd->imagePullSecrets;
  }
  api::NodeSetVolumes& volumes = out.slurmd.volumes;
  volumes.sharedMemorySize = worker.volumes.sharedMemorySize;
  volumes.spool = volume_source(sources, worker.volumes.spool);
  for (const api::VolumeMount& mount : worker.volumes.customMounts) {
    volumes.customVolumeMounts.push_back(mount_of(sources, mount));
  }
  return out;
}

}  // namespace slurmop::settle
