// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/victims.h"

#include "operator/workers/out_of_service.h"

#include <algorithm>
#include <tuple>

namespace slurmop::workers {
namespace {

bool is_drained_by_us(const Worker& worker) {
  return worker.node != nullptr && drained_by_us(*worker.node);
}

// When the last job of a busy worker ends at the latest. A worker whose jobs are not listed any more
// is free already.
base::WallTime free_at(const Worker& worker) {
  base::WallTime latest = base::WallTime::min();
  for (const RunningJob* job : worker.jobs) {
    latest = std::max(latest, job->ends.value_or(base::WallTime::max()));
  }
  return latest;
}

}  // namespace

Cost cost_of(const Worker& worker) {
  const PodState pod = pod_state(worker);
  if (pod == PodState::none) return Cost::no_pod;
  if (pod == PodState::leaving || pod == PodState::ended) return Cost::pod_leaves;
  if (is_busy(worker)) return Cost::busy;
  if (worker.node == nullptr) return pod == PodState::waiting ? Cost::not_started : Cost::not_ready;
  const OutOfService out = out_of_service(*worker.node);
  if (out == OutOfService::by_others) return Cost::out_by_others;
  // NOT_RESPONDING alone is not counted: a node shows it for a moment after every UNDRAIN, so two
  // workers would be drained and undrained in turn.
  if (worker.node->down() || !is_registered(worker)) return Cost::not_ready;
  return out == OutOfService::by_us ? Cost::drained_by_us : Cost::idle;
}

std::vector<const Worker*> removal_order(const Workers& workers) {
  std::vector<const Worker*> order;
  for (const auto& [ordinal, worker] : workers) order.push_back(&worker);
  std::ranges::sort(order, {}, [](const Worker* worker) {
    return std::tuple(
        cost_of(*worker), !is_drained_by_us(*worker), free_at(*worker), -worker->ordinal);
  });
  return order;
}

}  // namespace slurmop::workers
