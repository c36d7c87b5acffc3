// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/workers/step.h"

namespace slurmop::workers {

// Removes the Slurm node of a worker that leaves and has no pod. Slurm refuses to delete a node with
// jobs; they are ghost jobs and are ended first by setting the node down. A node of slurm.conf stays.
//
// Expects     Slurm knows the node.
MaybeStep forget_node(const Worker& worker);

}  // namespace slurmop::workers
