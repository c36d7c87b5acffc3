// SPDX-License-Identifier: Apache-2.0
#include "operator/plan/node_set_status.h"

#include "json/pointer.h"
#include "operator/objects/labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slurmop::plan {
namespace {

const json::Value* find_node_set(const Known& known, const std::string& name) {
  for (const json::Value& node_set : known.node_sets) {
    const json::Value* found = json::find(node_set, {"metadata", "name"});
    if (found != nullptr && found->as_string() != nullptr && *found->as_string() == name)
      return &node_set;
  }
  return nullptr;
}

kube::Condition pods_ready(const SetPlan& of_set) {
  const bool all = of_set.workers.ready >= of_set.set.spec.replicas;
  kube::Condition condition{
      "PodsReady",
      all ? "True" : "False",
      all ? "Ready" : "NotReady",
      fmt::format(
          "Slurm can use {} of {} workers", of_set.workers.ready, of_set.set.spec.replicas)};
  if (!of_set.workers.waits.empty())
    condition.message += fmt::format("; {}", fmt::join(of_set.workers.waits, "; "));
  return condition;
}

kube::Condition update_pending(const SetPlan& of_set) {
  const bool pending = of_set.workers.outdated > 0;
  return {"UpdatePending",
          pending ? "True" : "False",
          pending ? "WorkersOutdated" : "UpToDate",
          fmt::format("{} workers run an older template", of_set.workers.outdated)};
}

}  // namespace

void add_node_set_status(const settle::Cluster& cluster,
                         const SetPlan& of_set,
                         const Known& known,
                         Plan& plan) {
  const json::Value* node_set = find_node_set(known, of_set.set.name);
  if (node_set == nullptr) return;
  kube::Conditions conditions = kube::read_conditions(*node_set);
  for (kube::Condition condition : {pods_ready(of_set), update_pending(of_set)}) {
    condition.observedGeneration = of_set.set.generation;
    kube::set_condition(conditions, std::move(condition), known.now);
  }
  const bool ready = of_set.workers.ready >= of_set.set.spec.replicas;
  plan.node_sets.push_back({of_set.set.name,
                            json::Object{{"conditions", kube::encode_conditions(conditions)},
                                         {"labelSelector",
                                          fmt::format("{}={},{}={}",
                                                      objects::kInstance,
                                                      cluster.names.cluster(),
                                                      objects::kNodeSetLabel,
                                                      of_set.set.name)},
                                         {"observedGeneration", of_set.set.generation},
                                         {"phase", ready ? "Ready" : "Provisioning"},
                                         {"readyReplicas", of_set.workers.ready},
                                         {"replicas", of_set.workers.existing}}});
}

}  // namespace slurmop::plan
