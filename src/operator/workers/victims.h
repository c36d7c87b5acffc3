// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/workers/worker.h"

#include <vector>

namespace slurmop::workers {

// What the removal of a worker costs, cheapest first.
enum class Cost {
  no_pod,         // only a Slurm node
  pod_leaves,     // its pod is being deleted or has ended
  not_started,    // slurmd does not run, and Slurm does not know the node
  not_ready,      // not registered, or down
  drained_by_us,  // idle
  out_by_others,  // idle, drained or set down by others
  idle,
  busy,
};
Cost cost_of(const Worker& worker);

// All workers, the first to remove first: by cost, then those that we drained, then busy workers
// that become free first, then the highest ordinal. So a busy worker that we drained is exchanged
// for a worker that has become idle.
std::vector<const Worker*> removal_order(const Workers& workers);

}  // namespace slurmop::workers
