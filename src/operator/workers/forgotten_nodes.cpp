// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/forgotten_nodes.h"

#include "operator/workers/out_of_service.h"

namespace slurmop::workers {

MaybeStep forget_node(const Worker& worker) {
  if (!worker.node->dynamic()) return std::nullopt;
  if (!is_busy(worker)) return RemoveNode{worker.name};
  if (worker.node->down()) return std::nullopt;  // its jobs are completing
  return DownNode{worker.name, down_reason(*worker.node)};
}

}  // namespace slurmop::workers
