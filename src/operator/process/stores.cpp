// SPDX-License-Identifier: Apache-2.0
#include "operator/process/stores.h"

#include "json/pointer.h"
#include "operator/api/generated/node_set.h"
#include "operator/api/generated/slurm_cluster.h"
#include "operator/objects/labels.h"

#include <algorithm>
#include <utility>

namespace slurmop::process {
namespace {

using kube::CacheOptions;
using kube::ObjectKey;
using kube::Resource;

struct Kind {
  const Resource& resource;
  bool is_pruned = true;
};

// In the order in which they are pruned.
const Kind kKinds[] = {
    {kube::kStatefulSets},
    {kube::kDeployments},
    {kube::kPodDisruptionBudgets},
    {kube::kNetworkPolicies},
    {kube::kServices},
    {kube::kConfigMaps},
    {kube::kServiceAccounts},
    {kube::kClaims, false},
};

CacheOptions labelled(std::vector<std::string> namespaces) {
  return {.namespaces = std::move(namespaces),
          .label_selector = std::string(objects::kManagedSelector)};
}

template <class T>
std::vector<std::string> terms(const T& object) {
  std::vector<std::string> found;
  for (const ObjectKey& key : Stores::cluster_of(object.metadata))
    found.push_back(cluster_term(key));
  return found;
}

}  // namespace

std::string cluster_term(const ObjectKey& cluster) {
  return cluster.to_string();
}

OwnedObjects::OwnedObjects(kube::Access access,
                           std::vector<std::string> namespaces,
                           Resource resource,
                           bool pruned)
    : cache(std::move(access), labelled(std::move(namespaces)), std::move(resource)),
      by_cluster(cache.add_index(terms<kube::DynamicObject>)),
      is_pruned(pruned) {}

Stores::Stores(const kube::Access& access, const std::vector<std::string>& namespaces)
    : clusters_(access, {.namespaces = namespaces, .may_be_absent = true}, api::kSlurmClusters),
      node_sets_(access, {.namespaces = namespaces, .may_be_absent = true}, api::kNodeSets),
      pods_(access, labelled(namespaces)),
      pods_by_cluster_(pods_.add_index(terms<kube::ObservedPod>)),
      secrets_(access, {.namespaces = namespaces}, kube::kSecrets) {
  for (const Kind& kind : kKinds)
    owned_.push_back(
        std::make_unique<OwnedObjects>(access, namespaces, kind.resource, kind.is_pruned));
}

OwnedObjects* Stores::owned(std::string_view api_version, std::string_view kind) const {
  const auto found = std::ranges::find_if(owned_, [&](const auto& objects) {
    const Resource& resource = objects->cache.resource();
    return resource.kind == kind && resource.api_version() == api_version;
  });
  return found == owned_.end() ? nullptr : found->get();
}

Stores::ObjectPointer Stores::find(const Resource& resource, const ObjectKey& key) const {
  const OwnedObjects* objects = owned(resource.api_version(), resource.kind);
  return objects == nullptr ? nullptr : objects->cache.find(key);
}

Stores::Keys Stores::clusters_in(const std::string& ns) const {
  Keys keys;
  const auto& all = clusters_.store().objects();
  for (auto entry = all.lower_bound({ns, ""}); entry != all.end() && entry->first.ns == ns; ++entry)
    keys.push_back(entry->first);
  return keys;
}

Stores::Keys Stores::cluster_of(const kube::ObjectMeta& object) {
  const std::string& cluster = object.label(std::string(objects::kInstance));
  if (cluster.empty()) return {};
  return {{object.namespace_, cluster}};
}

Stores::Keys Stores::cluster_of_node_set(const Object& node_set) const {
  const std::string& ns = node_set.metadata.namespace_;
  const json::Value* name = json::find(node_set.content, {"spec", "clusterName"});
  if (name != nullptr && name->as_string() != nullptr && !name->as_string()->empty())
    return {{ns, *name->as_string()}};
  Keys all = clusters_in(ns);
  return all.size() == 1 ? all : Keys();
}

std::vector<Stores::ObjectPointer> Stores::node_sets_of(const ObjectKey& cluster) const {
  std::vector<ObjectPointer> sets;
  const auto& all = node_sets_.store().objects();
  for (auto entry = all.lower_bound({cluster.ns, ""});
       entry != all.end() && entry->first.ns == cluster.ns;
       ++entry) {
    if (cluster_of_node_set(*entry->second) == Keys{cluster}) sets.push_back(entry->second);
  }
  return sets;
}

std::vector<kube::Store<kube::ObservedPod>::Pointer> Stores::pods_of(
    const ObjectKey& cluster) const {
  std::vector<kube::Store<kube::ObservedPod>::Pointer> found;
  for (const ObjectKey& key : pods_by_cluster_.find(cluster_term(cluster)))
    found.push_back(pods_.find(key));
  return found;
}

void Stores::notify(kube::Controller<>& controller) {
  // The names and the NodeSets of a cluster depend on the other clusters of its namespace.
  controller.watch(clusters_, [this](const Object& cluster) {
    Keys keys = clusters_in(cluster.metadata.namespace_);
    keys.push_back(cluster.metadata.key());
    return keys;
  });
  controller.watch(node_sets_, [this](const Object& set) { return cluster_of_node_set(set); });
  controller.watch(pods_, [](const auto& pod) { return cluster_of(pod.metadata); });
  // A Secret without our label may be one that the resource names.
  controller.watch(secrets_, [this](const kube::PartialObject& secret) {
    Keys keys = cluster_of(secret.metadata);
    return keys.empty() ? clusters_in(secret.metadata.namespace_) : keys;
  });
  for (const auto& objects : owned_) {
    controller.watch(objects->cache,
                     [](const Object& object) { return cluster_of(object.metadata); });
  }
}

template <class Call>
void Stores::each_cache(Call&& call) {
  call(clusters_);
  call(node_sets_);
  call(pods_);
  call(secrets_);
  for (const auto& objects : owned_) call(objects->cache);
}

void Stores::add_to(kube::Runner& runner) {
  each_cache([&](auto& cache) { runner.add(cache); });
}

void Stores::start(net::TaskGroup& tasks) {
  each_cache([&](auto& cache) { tasks.spawn(cache.resource().plural, cache.run()); });
}

bool Stores::synced() const {
  return clusters_.synced() && node_sets_.synced() && pods_.synced() && secrets_.synced() &&
         std::ranges::all_of(owned_, [](const auto& objects) { return objects->cache.synced(); });
}

}  // namespace slurmop::process
