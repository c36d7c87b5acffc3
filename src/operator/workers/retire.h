// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/workers/step.h"

namespace slurmop::workers {

// The next step to remove the pod of a worker that leaves: drain its node, wait until Slurm shows it
// drained and without jobs, delete the pod.
//
// Expects     Slurm is known; the worker has a pod.
// Guarantees  a pod whose node has jobs is deleted only if drain_timeout has passed since our drain,
//             or if its containers have ended. The drain and the reason of others are kept.
MaybeStep retire(const Worker& worker, const WorkerFacts& facts);

// How much of drain_timeout is left; empty if there is no timeout or the node is not drained by us.
std::optional<base::Duration> drain_time_left(const Worker& worker, const WorkerFacts& facts);

}  // namespace slurmop::workers
