// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/resume.h"

#include "operator/workers/out_of_service.h"

namespace slurmop::workers {

MaybeStep return_to_service(const Worker& worker) {
  const slurm::Node& node = *worker.node;
  const OutOfService out = out_of_service(node);
  if (out != OutOfService::by_us && out != OutOfService::by_slurmctld) return std::nullopt;
  if (!node.down()) return UndrainNode{worker.name};
  // RESUME also removes our drain of a node that is down.
  if (!is_registered(worker) || node.not_responding()) return std::nullopt;
  return ResumeNode{worker.name};
}

}  // namespace slurmop::workers
