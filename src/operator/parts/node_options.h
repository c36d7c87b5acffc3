// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/settle/cluster.h"

#include <string>

namespace slurmop::parts {

// Returns the value of `slurmd --conf`, by which a worker describes its dynamic node: features, size
// and the parameters of nodeConfig.static.
//
// Expects     parameters that check_node_options accepts; others are left out as a whole.
// Guarantees  the first feature is the name of the set, which makes the node a member of its Slurm
//             NodeSet. CPUs and RealMemory are those of slurmd.resources; without resources they are
//             absent and slurmd reports the hardware. A parameter of nodeConfig.static wins over
//             them. Equal for all workers of the set.
std::string node_options(const settle::WorkerSet& set);

// Errors      invalid  nodeConfig.static is not a list of Key=Value; the message names the NodeSet.
base::Result<void> check_node_options(const settle::WorkerSet& set);

}  // namespace slurmop::parts
