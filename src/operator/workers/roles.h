// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/workers/worker.h"

namespace slurmop::workers {

// Decides which workers are kept. If there are too few, adds workers with the lowest free ordinals;
// an ordinal that already has a pod or a Slurm node is used first.
//
// Guarantees  as many workers are kept as the set desires, except while some are undecided: if the
//             choice is between busy workers and the jobs were not read, none of these is kept or
//             leaves.
// Returns     whether the jobs decide, so that they must be read.
bool assign_roles(Workers& workers, const WorkerFacts& facts);

}  // namespace slurmop::workers
