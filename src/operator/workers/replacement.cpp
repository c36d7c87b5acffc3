// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/replacement.h"

#include "operator/workers/out_of_service.h"

namespace slurmop::workers {

Step replace(const Worker& worker) {
  if (worker.node == nullptr || worker.node->down()) return CreatePod{worker.ordinal};
  // Slurm starts no jobs on a node that others drained; setting it down would only end its jobs.
  const bool empty_and_out =
      !is_busy(worker) && out_of_service(*worker.node) == OutOfService::by_others;
  if (empty_and_out) return CreatePod{worker.ordinal};
  return DownNode{worker.name, down_reason(*worker.node)};
}

}  // namespace slurmop::workers
