// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/objects/pod.h"
#include "operator/parts/container_settings.h"
#include "operator/settle/cluster.h"

#include <string>

// munged in a pod, for clusters with auth/munge: a native sidecar named `munge`, which runs before
// and as long as the containers of the pod.
namespace slurmop::parts {

inline bool has_munge(const settle::Cluster& cluster) {
  return cluster.auth == conf::AuthMode::munge;
}

// `settings` are those of the component's field `munge`; the image is Slurm's if they name none.
json::Object munge_sidecar(const settle::Cluster& cluster,
                           const ContainerSettings& settings,
                           objects::CpuLimit cpu = objects::CpuLimit::none);
// The munge key, and the folder of the socket.
void add_munge_volumes(const settle::Cluster& cluster, json::Array& volumes);
// The socket, for containers that authenticate.
objects::Mount munge_socket_mount();

}  // namespace slurmop::parts
