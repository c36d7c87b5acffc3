// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/workers/step.h"

namespace slurmop::workers {

// Returns the node of a kept worker to service: removes our drain, and resumes a node that we or
// slurmctld set down because its slurmd was replaced. Only after the new slurmd has registered:
// a node that is resumed earlier goes down again when it registers.
//
// Expects     Slurm knows the node; the pod exists and is not being deleted.
// Guarantees  drains and DOWN states of others are kept.
MaybeStep return_to_service(const Worker& worker);

}  // namespace slurmop::workers
