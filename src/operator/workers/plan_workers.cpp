// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/plan_workers.h"

#include "operator/objects/labels.h"
#include "operator/workers/ghost_jobs.h"
#include "operator/workers/next_step.h"
#include "operator/workers/roles.h"
#include "operator/workers/waits.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace slurmop::workers {
namespace {

// How often the jobs are read while they decide.
constexpr auto kReadJobsEvery = std::chrono::seconds(5);

void count(const Worker& worker, const WorkerFacts& facts, WorkerPlan& plan) {
  const PodState pod = pod_state(worker);
  if (pod == PodState::none || pod == PodState::leaving) return;
  ++plan.existing;
  if (is_ready(worker)) ++plan.ready;
  const auto& annotations = worker.pod->metadata.annotations;
  const auto hash = annotations.find(std::string(objects::kTemplateHash));
  if (hash == annotations.end() || hash->second != facts.template_hash) ++plan.outdated;
}

struct AddTo {
  WorkerPlan& plan;

  void operator()(CreatePod step) const { plan.pods.emplace_back(step); }
  void operator()(DeletePod step) const { plan.pods.emplace_back(std::move(step)); }
  template <class InSlurm>
  void operator()(InSlurm step) const {
    plan.slurm.emplace_back(std::move(step));
  }
};

// Steps that return nodes to service first: the others take nodes out of it.
constexpr int kOrders = 5;
int order_of(const SlurmStep& step) {
  struct Order {
    int operator()(const UndrainNode&) const { return 0; }
    int operator()(const ResumeNode&) const { return 1; }
    int operator()(const DownNode&) const { return 2; }
    int operator()(const DrainNode&) const { return 3; }
    int operator()(const RemoveNode&) const { return 4; }
  };
  return std::visit(Order{}, step);
}

void sort_by_order(std::vector<SlurmStep>& steps) {
  std::vector<SlurmStep> sorted;
  for (int order = 0; order < kOrders; ++order) {
    std::ranges::copy_if(steps, std::back_inserter(sorted), [&](const SlurmStep& step) {
      return order_of(step) == order;
    });
  }
  steps = std::move(sorted);
}

void look_again_after(WorkerPlan& plan, std::optional<std::chrono::seconds> time) {
  if (time && (!plan.again || *time < *plan.again)) plan.again = time;
}

}  // namespace

WorkerPlan plan_workers(const WorkerFacts& facts) {
  Workers workers = workers_of(facts);
  WorkerPlan plan;
  plan.wants_jobs = assign_roles(workers, facts);
  for (const auto& [ordinal, worker] : workers) {
    count(worker, facts, plan);
    if (MaybeStep step = next_step(worker, facts)) std::visit(AddTo{plan}, *std::move(step));
    if (auto wait = wait_of(worker, facts)) plan.waits.push_back(*std::move(wait));
    if (may_have_ghost_jobs(worker, facts.now)) plan.wants_jobs = true;
    look_again_after(plan, look_again(worker, facts));
  }
  sort_by_order(plan.slurm);
  if (plan.wants_jobs) look_again_after(plan, kReadJobsEvery);
  return plan;
}

}  // namespace slurmop::workers
