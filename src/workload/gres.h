// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/resource_list.h"

#include <string>

namespace workload {

// CPUs that a DRA driver allocates: Slurm counts them as CPUs.
inline const std::string kCpuDevices = "deviceclass.resource.kubernetes.io/dra.cpu";

// The devices in the limits of a pod as Slurm's tres_per_node: "gres/gpu=2" for the vendors' GPUs,
// "gres/gpu:CLASS=1" for devices of a class, all types separated by commas; empty without devices.
// Both forms in one pod are an error: Slurm counts GPUs either with a type or without.
//
// Guarantees  equal limits give equal text.
base::Result<std::string> gres_of(const kube::ResourceList& limits);

}  // namespace workload
