// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/conditions.h"
#include "operator/workers/slurm_view.h"

#include <cstdint>

namespace slurmop::status {

// Whether Slurm can start a job on the node: it is in a partition that is up, responds, and is
// neither down nor drained.
bool is_usable(const slurm::Node& node, const workers::SlurmKnown& slurm);

// Returns the condition Ready: whether Slurm itself reports that a job can run.
//
// Guarantees  Unknown, never False, while Slurm is unknown; a message that names the partition, or
//             the state and reason of the nodes that cannot run jobs.
kube::Condition ready_condition(const workers::SlurmView& slurm, std::int64_t desired_workers);

}  // namespace slurmop::status
