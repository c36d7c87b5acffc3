// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/roles.h"

#include "operator/workers/out_of_service.h"
#include "operator/workers/victims.h"

#include <algorithm>
#include <vector>

namespace slurmop::workers {
namespace {

void add_missing(Workers& workers, const WorkerFacts& facts) {
  const auto desired = static_cast<std::size_t>(std::max<std::int64_t>(facts.set.spec.replicas, 0));
  for (std::int64_t ordinal = 0; workers.size() < desired; ++ordinal) {
    if (!workers.contains(ordinal)) workers[ordinal] = {ordinal, facts.set.pod_name(ordinal)};
  }
}

// Our drain of a busy worker is a choice that was made before.
bool is_choice(const Worker& worker) {
  return cost_of(worker) == Cost::busy && !drained_by_us(*worker.node);
}

}  // namespace

bool assign_roles(Workers& workers, const WorkerFacts& facts) {
  add_missing(workers, facts);
  const auto desired = static_cast<std::size_t>(std::max<std::int64_t>(facts.set.spec.replicas, 0));
  const std::vector<const Worker*> order = removal_order(workers);
  std::size_t leaving_choices = 0, kept_choices = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    Worker& worker = workers.at(order[i]->ordinal);
    worker.role = i + desired < order.size() ? Role::leaving : Role::kept;
    if (is_choice(worker)) ++(worker.role == Role::leaving ? leaving_choices : kept_choices);
  }
  const bool jobs_decide = leaving_choices > 0 && kept_choices > 0;
  const SlurmKnown* slurm = known_slurm(facts);
  if (!jobs_decide || slurm == nullptr || slurm->jobs) return jobs_decide;
  for (auto& [ordinal, worker] : workers) {
    if (is_choice(worker)) worker.role = Role::undecided;
  }
  return true;
}

}  // namespace slurmop::workers
