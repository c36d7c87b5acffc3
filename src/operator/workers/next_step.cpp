// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/next_step.h"

#include "operator/workers/forgotten_nodes.h"
#include "operator/workers/ghost_jobs.h"
#include "operator/workers/replacement.h"
#include "operator/workers/resume.h"
#include "operator/workers/retire.h"

namespace slurmop::workers {
namespace {

// Without Slurm nothing is known of jobs: only pods that have ended are deleted, and pods are created
// only while no job can exist.
MaybeStep step_without_slurm(const Worker& worker, const WorkerFacts& facts) {
  const PodState pod = pod_state(worker);
  if (pod == PodState::ended) return delete_ended(worker);
  if (pod == PodState::none && facts.never_available) return CreatePod{worker.ordinal};
  return std::nullopt;
}

MaybeStep step_of_leaving(const Worker& worker, const WorkerFacts& facts) {
  const PodState pod = pod_state(worker);
  if (pod == PodState::none) return forget_node(worker);
  if (pod != PodState::leaving && pod != PodState::ended) {
    if (MaybeStep step = end_ghost_jobs(worker)) return step;
  }
  return retire(worker, facts);
}

MaybeStep step_of_kept(const Worker& worker) {
  switch (pod_state(worker)) {
    case PodState::none: return replace(worker);
    case PodState::leaving: return std::nullopt;
    case PodState::ended: return delete_ended(worker);
    case PodState::waiting:
    case PodState::running: break;
  }
  if (worker.node == nullptr) return std::nullopt;
  if (MaybeStep step = end_ghost_jobs(worker)) return step;
  return return_to_service(worker);
}

}  // namespace

MaybeStep next_step(const Worker& worker, const WorkerFacts& facts) {
  if (known_slurm(facts) == nullptr) return step_without_slurm(worker, facts);
  return worker.role == Role::leaving ? step_of_leaving(worker, facts) : step_of_kept(worker);
}

}  // namespace slurmop::workers
