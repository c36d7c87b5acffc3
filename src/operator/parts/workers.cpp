// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/object.h"
#include "operator/objects/workload.h"
#include "operator/parts/node_options.h"
#include "operator/parts/parts.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace slurmop::parts {
namespace {

// Of all workers or of one set; the labels of a set's objects have its name.
objects::Labels with(objects::Labels labels, std::string_view key, std::string_view value) {
  labels.insert_or_assign(std::string(key), std::string(value));
  return labels;
}

std::string name_of_set(const Cluster& cluster, const WorkerSet& set, std::string_view suffix) {
  return fmt::format("{}-nodeset-{}-{}", cluster.names.cluster(), set.name, suffix);
}

objects::Meta meta(const Cluster& cluster, const WorkerSet& set, std::string name) {
  return {.ns = cluster.names.ns(),
          .name = std::move(name),
          .labels = with(objects::labels(cluster.names.cluster(), set.component),
                         objects::kNodeSetLabel,
                         set.name),
          .owner = cluster.owner};
}

objects::Labels pods_of(const Cluster& cluster, const WorkerSet& set) {
  return with(
      objects::selector(cluster.names.cluster(), set.component), objects::kNodeSetLabel, set.name);
}

// Gives every worker its name: <pod>.<cluster>-nodeset-svc. Workers of both forms are selected.
json::Object service_of_all(const Cluster& cluster) {
  const std::string& name = cluster.names.cluster();
  objects::Labels selector = with(objects::selector(name, ""), objects::kWorkerLabel, "true");
  selector.erase(std::string(objects::kComponent));
  return objects::service({.ns = cluster.names.ns(),
                           .name = cluster.names.worker_service(),
                           .labels = objects::labels(name, "nodeset"),
                           .owner = cluster.owner},
                          objects::ServiceKind::headless,
                          selector,
                          {{.name = "slurmd", .port = kSlurmdPort}});
}

json::Object service_of_set(const Cluster& cluster, const WorkerSet& set) {
  return objects::service(meta(cluster, set, name_of_set(cluster, set, "svc")),
                          objects::ServiceKind::headless,
                          pods_of(cluster, set),
                          {{.name = "slurmd", .port = set.spec.slurmd.port}});
}

json::Object budget_of_set(const Cluster& cluster, const WorkerSet& set) {
  const api::IntOrPercent& most = set.spec.maxUnavailable;
  json::Object budget = objects::disruption_budget(
      meta(cluster, set, name_of_set(cluster, set, "pdb")), pods_of(cluster, set), most.amount);
  if (most.percent) {
    budget.find("spec")->as_object()->set("maxUnavailable", fmt::format("{}%", most.amount));
  }
  return budget;
}

}  // namespace

base::Result<Objects> workers(const Cluster& cluster) {
  Objects all = {service_of_all(cluster)};
  for (const WorkerSet& set : cluster.worker_sets) {
    TRY_VOID(check_node_options(set));
    if (set.is_node_set) all.push_back(service_of_set(cluster, set));
    all.push_back(budget_of_set(cluster, set));
  }
  return all;
}

}  // namespace slurmop::parts
