// SPDX-License-Identifier: Apache-2.0
#include "operator/plan/worker_actions.h"

#include "base/overloaded.h"
#include "kube/api/owner_reference.h"
#include "operator/objects/labels.h"
#include "operator/plan/cluster_facts.h"

#include <algorithm>
#include <map>

namespace slurmop::plan {
namespace {

SetPlan planned(const settle::Cluster& cluster, const Known& known, settle::WorkerSet set) {
  workers::WorkerPlan plan =
      workers::plan_workers({.set = set,
                             .template_hash = parts::worker_template_hash(cluster, set),
                             .pods = pods_of(known, set),
                             .slurm = known.slurm,
                             .never_available = was_never_available(known.cluster),
                             .now = known.now});
  return {std::move(set), std::move(plan)};
}

bool has_set(const settle::Cluster& cluster, const std::string& name) {
  return std::ranges::any_of(cluster.worker_sets,
                             [&](const settle::WorkerSet& set) { return set.name == name; });
}

// "worker-12" -> "worker".
std::string prefix_of(const std::string& pod) {
  return pod.substr(0, pod.rfind('-'));
}

// A set without desired workers for pods of the cluster itself whose set was removed from the
// resource (spec.slurmNodes.worker).
std::vector<settle::WorkerSet> removed_sets(const settle::Cluster& cluster, const Known& known) {
  std::map<std::string, settle::WorkerSet> sets;
  for (const kube::ObservedPod& pod : known.pods) {
    const std::string& name = pod.metadata.label(std::string(objects::kNodeSetLabel));
    if (name.empty() || has_set(cluster, name)) continue;
    if (!kube::is_controlled_by(pod.metadata, cluster.resource.metadata.uid)) continue;
    settle::WorkerSet set;
    set.name = name;
    set.pod_prefix = prefix_of(pod.metadata.name);
    set.component = pod.metadata.label(std::string(objects::kComponent));
    set.owner = cluster.owner;
    set.spec.replicas = 0;
    sets.emplace(name, std::move(set));
  }
  std::vector<settle::WorkerSet> result;
  for (auto& [name, set] : sets) result.push_back(std::move(set));
  return result;
}

void add_pod_step(const settle::Cluster& cluster,
                  const settle::WorkerSet& set,
                  const workers::PodStep& step,
                  Plan& plan) {
  std::visit(
      base::Overloaded{[&](const workers::CreatePod& create) {
                         plan.pods.emplace_back(
                             CreateWorker{parts::worker_pod(cluster, set, create.ordinal),
                                          parts::worker_claims(cluster, set, create.ordinal)});
                       },
                       [&](const workers::DeletePod& remove) { plan.pods.emplace_back(remove); }},
      step);
}

std::optional<std::chrono::seconds> sooner(std::optional<std::chrono::seconds> a,
                                           std::optional<std::chrono::seconds> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

std::vector<SetPlan> plan_sets(const settle::Cluster& cluster, const Known& known) {
  std::vector<SetPlan> sets;
  for (const settle::WorkerSet& set : cluster.worker_sets)
    sets.push_back(planned(cluster, known, set));
  for (settle::WorkerSet& set : removed_sets(cluster, known))
    sets.push_back(planned(cluster, known, std::move(set)));
  return sets;
}

void add_worker_steps(const settle::Cluster& cluster,
                      const std::vector<SetPlan>& sets,
                      Plan& plan) {
  for (const SetPlan& of_set : sets) {
    for (const workers::SlurmStep& step : of_set.workers.slurm) plan.slurm.push_back(step);
    for (const workers::PodStep& step : of_set.workers.pods)
      add_pod_step(cluster, of_set.set, step, plan);
    plan.wants_jobs = plan.wants_jobs || of_set.workers.wants_jobs;
    plan.again = sooner(plan.again, of_set.workers.again);
  }
}

}  // namespace slurmop::plan
