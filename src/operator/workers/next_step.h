// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/workers/step.h"

namespace slurmop::workers {

// The next step for a worker whose role is assigned: the one place that combines the rules.
MaybeStep next_step(const Worker& worker, const WorkerFacts& facts);

}  // namespace slurmop::workers
