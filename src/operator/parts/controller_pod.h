// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/objects/workload.h"
#include "operator/parts/parts.h"

namespace slurmop::parts {

// The pod of slurmctld and the claims for its volumes.
struct ControllerPod {
  objects::PodTemplate pods;
  json::Array claim_templates;
};

// Guarantees  does not depend on the configuration files, users or keys of the cluster: they reach
//             the pod in volumes, so that a change of them restarts nothing.
ControllerPod controller_pod(const Cluster& cluster);

// The port of slurmctld, in the pod, in its Service and in slurm.conf.
std::int64_t slurmctld_port(const Cluster& cluster);

}  // namespace slurmop::parts
