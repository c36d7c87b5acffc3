// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/resource_list.h"

#include <string>

namespace workload {

// CPUs that a DRA driver hands out: Slurm counts them as CPUs.
inline const std::string kCpuDevices = "deviceclass.resource.kubernetes.io/dra.cpu";

// The devices of a pod as Slurm's tres_per_node, by the pod's limits: "gres/gpu=2" for the vendors'
// GPUs, "gres/gpu:CLASS=1" for devices of a class, all types with a comma between; empty if it has
// none. Both ways in one pod are an error: Slurm counts GPUs with a type or without, not together.
//
// Guarantees  equal limits give equal text.
base::Result<std::string> gres_of(const kube::ResourceList& limits);

}  // namespace workload
