// SPDX-License-Identifier: Apache-2.0
#include "operator/api/validate_fields.h"
#include "operator/settle/cluster.h"
#include "operator/settle/effect.h"
#include "operator/settle/users.h"
#include "operator/settle/worker_sets.h"

#include <algorithm>
#include <set>
#include <utility>

namespace slurmop::settle {
namespace {

using Documents = std::vector<const json::Value*>;

// Empty if the object has none.
std::string name_of(const json::Value& object) {
  const json::Value* metadata = object.find("metadata");
  const json::Value* name = metadata == nullptr ? nullptr : metadata->find("name");
  const std::string* text = name == nullptr ? nullptr : name->as_string();
  return text == nullptr ? std::string() : *text;
}

Documents by_name(std::span<const json::Value> node_sets) {
  Documents documents;
  for (const json::Value& one : node_sets) documents.push_back(&one);
  std::ranges::sort(
      documents, {}, [](const json::Value* one) { return std::pair(name_of(*one), one->dump()); });
  return documents;
}

api::NodeSetNames names_of(const Documents& node_sets) {
  std::set<std::string> names;
  for (const json::Value* one : node_sets) names.insert(name_of(*one));
  return names;
}

// The typed object; an error is among the findings already.
template <class T>
std::optional<T> decoded(const json::Value& object) {
  api::Findings known;
  return api::decoded<T>(object, known);
}

void add_findings(const std::string& node_set, api::Findings found, api::Findings& findings) {
  for (api::FieldError& error : found.errors) {
    findings.errors.push_back({field_of_node_set(node_set, error.field), std::move(error.message)});
  }
  for (const std::string& field : found.accepted) {
    findings.accepted.push_back(field_of_node_set(node_set, field));
  }
}

bool uses_munge(const api::SlurmNodes& nodes) {
  return nodes.controller.munge || nodes.login.munge || nodes.accounting.munge ||
         (nodes.worker && nodes.worker->munge);
}

// Short names are for the form of the requirements, and only one cluster of a namespace can have them.
Naming naming_of(const api::SlurmClusterSpec& spec, const Recorded& recorded) {
  if (recorded.naming) return *recorded.naming;
  const bool is_short = spec.slurmNodes.worker.has_value() && !recorded.short_names_taken;
  return is_short ? Naming::short_names : Naming::prefixed;
}

Cluster cluster_of(api::SlurmCluster resource, const Recorded& recorded, const Defaults& defaults) {
  const kube::ObjectMeta& metadata = resource.metadata;
  Names names(naming_of(resource.spec, recorded),
              metadata.name,
              metadata.namespace_,
              defaults.cluster_domain);
  const bool munge = uses_munge(resource.spec.slurmNodes);
  kube::OwnerReference owner = owner_reference(api::kSlurmClusters, metadata);
  return {.resource = std::move(resource),
          .owner = std::move(owner),
          .names = std::move(names),
          .defaults = defaults,
          .auth = munge ? conf::AuthMode::munge : conf::AuthMode::slurm};
}

void add_worker_sets(Cluster& cluster, const Documents& node_sets, api::Findings& findings) {
  if (cluster.spec().slurmNodes.worker) {
    cluster.worker_sets.push_back(worker_form_set(cluster, findings));
  }
  for (const json::Value* one : node_sets) {
    if (const auto node_set = decoded<api::NodeSet>(*one)) {
      cluster.worker_sets.push_back(node_set_workers(*node_set, cluster.defaults, findings));
    }
  }
  std::ranges::sort(cluster.worker_sets, {}, &WorkerSet::name);
  check_set_names(cluster.worker_sets, cluster.names, findings);
}

}  // namespace

Settled settle(const json::Value& cluster,
               std::span<const json::Value> node_sets,
               const Recorded& recorded,
               const Defaults& defaults) {
  const Documents documents = by_name(node_sets);
  Settled out;
  out.findings = api::validate_slurm_cluster(cluster, names_of(documents));
  for (const json::Value* one : documents) {
    add_findings(name_of(*one), api::validate_node_set(*one), out.findings);
  }
  auto resource = decoded<api::SlurmCluster>(cluster);
  if (!resource) return out;
  Cluster settled = cluster_of(std::move(*resource), recorded, defaults);
  add_worker_sets(settled, documents, out.findings);
  Accounts accounts = accounts_of(settled.spec(), recorded.uids, out.findings);
  settled.users = std::move(accounts.users);
  settled.uids = std::move(accounts.uids);
  add_values_without_effect(settled.spec(), out.findings);
  if (out.findings.ok()) out.cluster = std::move(settled);
  return out;
}

}  // namespace slurmop::settle
