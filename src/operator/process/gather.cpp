// SPDX-License-Identifier: Apache-2.0
#include "operator/process/gather.h"

#include "json/pointer.h"
#include "operator/process/rollout.h"

#include <tuple>
#include <utility>

namespace slurmop::process {
namespace {

using kube::DynamicObject;
using kube::ObjectKey;

std::string text_at(const json::Value& object, const json::Pointer& place) {
  const json::Value* value = json::find(object, place);
  return value == nullptr || value->as_string() == nullptr ? std::string() : *value->as_string();
}

std::optional<settle::Naming> naming_of(const DynamicObject& cluster) {
  const std::string recorded = text_at(cluster.content, {"status", "naming"});
  for (const settle::Naming naming : {settle::Naming::short_names, settle::Naming::prefixed}) {
    if (recorded == settle::to_string(naming)) return naming;
  }
  return std::nullopt;
}

// A cluster without a recorded naming takes the short names if its workers are in its own spec.
bool wants_short_names(const DynamicObject& cluster) {
  const json::Value* worker = json::find(cluster.content, {"spec", "slurmNodes", "worker"});
  return worker != nullptr && !worker->is_null();
}

bool is_older(const DynamicObject& a, const DynamicObject& b) {
  return std::tie(a.metadata.creationTimestamp, a.metadata.name) <
         std::tie(b.metadata.creationTimestamp, b.metadata.name);
}

bool takes_short_names(const DynamicObject& other, const DynamicObject& cluster) {
  if (const auto naming = naming_of(other)) return *naming == settle::Naming::short_names;
  return wants_short_names(other) && is_older(other, cluster);
}

settle::Names names_of(const DynamicObject& cluster) {
  // Only names that do not depend on the naming are used.
  return {settle::Naming::prefixed, cluster.metadata.name, cluster.metadata.namespace_, ""};
}

std::map<std::string, plan::Rollout> rollouts_of(const Stores& stores, const ObjectKey& cluster) {
  std::map<std::string, plan::Rollout> rollouts;
  for (const kube::Resource& resource : {kube::kStatefulSets, kube::kDeployments}) {
    const OwnedObjects* objects = stores.owned(resource.api_version(), resource.kind);
    for (const ObjectKey& key : objects->by_cluster.find(cluster_term(cluster)))
      rollouts[resource.kind + "/" + key.name] = rollout_of(objects->cache.find(key)->content);
  }
  return rollouts;
}

std::set<std::string> secrets_in(const Stores& stores, const std::string& ns) {
  std::set<std::string> names;
  const auto& all = stores.secrets().store().objects();
  for (auto entry = all.lower_bound({ns, ""}); entry != all.end() && entry->first.ns == ns; ++entry)
    names.insert(entry->first.name);
  return names;
}

}  // namespace

settle::Recorded recorded_of(const Stores& stores, const DynamicObject& cluster) {
  settle::Recorded recorded;
  recorded.naming = naming_of(cluster);
  for (const ObjectKey& key : stores.clusters_in(cluster.metadata.namespace_)) {
    if (key == cluster.metadata.key()) continue;
    recorded.short_names_taken |= takes_short_names(*stores.clusters().find(key), cluster);
  }
  const ObjectKey users{cluster.metadata.namespace_, names_of(cluster).users()};
  if (const auto map = stores.find(kube::kConfigMaps, users))
    recorded.uids = settle::read_uids(text_at(map->content, {"data", "uids"}));
  return recorded;
}

plan::Known gather(const Stores& stores, const DynamicObject& cluster, Beside beside) {
  const ObjectKey key = cluster.metadata.key();
  plan::Known known;
  known.cluster = cluster.content;
  for (const auto& set : stores.node_sets_of(key)) known.node_sets.push_back(set->content);
  known.recorded = recorded_of(stores, cluster);
  known.defaults = std::move(beside.defaults);
  for (const auto& pod : stores.pods_of(key)) known.pods.push_back(*pod);
  known.rollouts = rollouts_of(stores, key);
  known.secrets = secrets_in(stores, key.ns);
  known.config = std::move(beside.config);
  known.slurm = std::move(beside.slurm);
  known.apply_failures = std::move(beside.apply_failures);
  known.now = beside.now;
  return known;
}

}  // namespace slurmop::process
