// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/retire.h"

#include "operator/workers/out_of_service.h"

#include <fmt/format.h>

namespace slurmop::workers {
namespace {

DrainNode drain(const Worker& worker) {
  return {worker.name, std::string(kScaleDown)};
}

// A slurmd that runs may register at any moment and get a job, so it gets time to do so and is
// drained then.
MaybeStep retire_unknown(const Worker& worker, const WorkerFacts& facts) {
  const bool may_register = pod_state(worker) == PodState::running &&
                            facts.now - waits_since(worker, facts.now) <= kRegisterTime;
  if (may_register) return std::nullopt;
  return delete_pod(worker, fmt::format("Slurm does not know node {}", worker.name));
}

MaybeStep retire_busy(const Worker& worker, const WorkerFacts& facts) {
  if (!worker.node->draining()) {
    if (worker.node->down()) return std::nullopt;  // its jobs are completing
    return drain(worker);
  }
  const auto left = drain_time_left(worker, facts);
  if (!left || *left > base::Duration::zero()) return std::nullopt;
  return delete_pod(
      worker,
      fmt::format("the drain timeout has passed, and Slurm still shows jobs on {}", worker.name));
}

MaybeStep retire_free(const Worker& worker) {
  const slurm::Node& node = *worker.node;
  // Nobody but an administrator returns a node to service that an administrator set down.
  const bool out = node.draining() || out_of_service(node) == OutOfService::by_others;
  const bool started =
      worker.pod->status.phase != "Pending" || pod_state(worker) == PodState::running;
  if (!out && started) return drain(worker);
  return delete_pod(worker,
                    fmt::format("Slurm shows node {} {} and without jobs",
                                worker.name,
                                node.draining() ? "drained" : (out ? "down" : "not started")));
}

}  // namespace

std::optional<base::Duration> drain_time_left(const Worker& worker, const WorkerFacts& facts) {
  if (!facts.set.drain_timeout || worker.node == nullptr) return std::nullopt;
  if (!drained_by_us(*worker.node) || worker.node->reason_changed_at == 0) return std::nullopt;
  return wall_time(worker.node->reason_changed_at) + *facts.set.drain_timeout - facts.now;
}

MaybeStep retire(const Worker& worker, const WorkerFacts& facts) {
  const PodState pod = pod_state(worker);
  if (pod == PodState::leaving) return std::nullopt;
  if (pod == PodState::ended) return delete_ended(worker);
  if (worker.node == nullptr) return retire_unknown(worker, facts);
  return is_busy(worker) ? retire_busy(worker, facts) : retire_free(worker);
}

}  // namespace slurmop::workers
