// SPDX-License-Identifier: Apache-2.0
#include "operator/process/object_writer.h"

#include "kube/api/owner_reference.h"
#include "kube/client/needs_apply.h"
#include "operator/objects/labels.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace slurmop::process {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using kube::DynamicObject;
using kube::ObjectKey;

const std::string kManager(objects::kFieldManager);

std::string text(const json::Object& object, std::string_view member) {
  const json::Value* value = object.find(member);
  return value == nullptr || value->as_string() == nullptr ? std::string() : *value->as_string();
}

std::set<std::pair<std::string, ObjectKey>> keys_of(const std::vector<json::Object>& objects) {
  std::set<std::pair<std::string, ObjectKey>> keys;
  for (const json::Object& object : objects)
    keys.emplace(text(object, "kind"), kube::key_of_object(object));
  return keys;
}

}  // namespace

Error with_remedy(Error error, const DynamicObject& live) {
  if (!error.is(Kind::invalid)) return error;
  if (live.kind != "StatefulSet" && live.kind != "Deployment" && live.kind != "Service")
    return error;
  const bool has_pods = live.kind != "Service";
  return Error(
      error.kind(),
      fmt::format("{}. If the field cannot be changed, restore its value, or delete the object and "
                  "the operator creates it again: kubectl delete {} {} -n {}{}",
                  error.message(),
                  live.kind,
                  live.metadata.name,
                  live.metadata.namespace_,
                  has_pods ? " --cascade=orphan (its pods and claims are kept)" : ""));
}

Result<void> check_owner(const DynamicObject& live,
                         const ClusterRef& cluster,
                         const std::set<kube::Uid>& owners) {
  const kube::ObjectMeta& metadata = live.metadata;
  const std::string name = fmt::format("{} {}", live.kind, metadata.key().to_string());
  if (metadata.label(std::string(objects::kManagedBy)) != objects::kFieldManager)
    return Error(Kind::refused,
                 fmt::format("{} exists and was not created by this operator; rename or delete it, "
                             "or choose another name for the cluster",
                             name));
  if (const std::string& other = metadata.label(std::string(objects::kInstance));
      other != cluster.key.name) {
    return Error(Kind::refused,
                 fmt::format("{} belongs to cluster {}; choose another name", name, other));
  }
  const kube::OwnerReference* owner = kube::controller_of(metadata);
  if (owner != nullptr && !owners.contains(owner->uid))
    return Error(Kind::refused,
                 fmt::format("{} belongs to an earlier {} {}; it is created again as soon as the "
                             "garbage collector has deleted it",
                             name,
                             owner->kind,
                             owner->name));
  return {};
}

std::set<kube::Uid> ObjectWriter::owners(const ClusterRef& cluster) const {
  std::set<kube::Uid> uids{cluster.uid};
  for (const auto& set : stores_.node_sets_of(cluster.key)) uids.insert(set->metadata.uid);
  return uids;
}

net::Task<Result<void>> ObjectWriter::apply_one(const ClusterRef& cluster,
                                                const json::Object& desired) {
  OwnedObjects* objects = stores_.owned(text(desired, "apiVersion"), text(desired, "kind"));
  if (objects == nullptr)
    co_return Error(Kind::internal,
                    fmt::format("objects of kind {} are not created", text(desired, "kind")));
  const ObjectKey key = kube::key_of_object(desired);
  const kube::Api<DynamicObject> api(access_, objects->cache.resource());
  Stores::ObjectPointer live = objects->cache.find(key);
  if (!live) {  // or the watch is behind, or it has not our label
    CO_TRY(std::optional<DynamicObject> there, co_await api.find(key));
    if (there) live = std::make_shared<const DynamicObject>(std::move(*there));
  }
  if (live) {
    CO_TRY_VOID(check_owner(*live, cluster, owners(cluster)));
    if (live->metadata.deleting()) co_return Result<void>();  // its end is a change
    if (!kube::needs_apply(live->content, desired, kManager)) co_return Result<void>();
  }
  auto written = co_await api.apply(desired, {kManager, kube::Conflicts::force});
  if (!written.ok())
    co_return live ? with_remedy(std::move(written).error(), *live) : std::move(written).error();
  objects->cache.store().written(std::move(*written));
  co_return Result<void>();
}

net::Task<Result<void>> ObjectWriter::apply(ClusterRef cluster,
                                            const std::vector<json::Object>& desired,
                                            PassOutcome& outcome) {
  for (const json::Object& object : desired) {
    const auto applied = co_await apply_one(cluster, object);
    if (applied.ok()) continue;
    if (!is_rejection(applied.error())) co_return applied;
    outcome.failures.push_back(applied.error().message());
  }
  co_return Result<void>();
}

net::Task<Result<void>> ObjectWriter::remove(OwnedObjects& objects, kube::ObjectMeta unwanted) {
  const kube::Api<DynamicObject> api(access_, objects.cache.resource());
  kube::DeleteOptions options;
  options.uid = unwanted.uid;
  options.propagation = kube::Propagation::background;
  const auto removed = co_await api.remove(unwanted.key(), options);
  if (!removed.ok() && !removed.error().is(Kind::not_found) && !removed.error().is(Kind::conflict))
    co_return removed.error();
  co_return Result<void>();
}

net::Task<Result<void>> ObjectWriter::prune(ClusterRef cluster,
                                            const std::vector<json::Object>& desired,
                                            PassOutcome& outcome) {
  const auto wanted = keys_of(desired);
  const std::set<kube::Uid> ours = owners(cluster);
  for (const auto& objects : stores_.owned()) {
    if (!objects->is_pruned) continue;
    const std::set<ObjectKey> keys = objects->by_cluster.find(cluster_term(cluster.key));
    for (const ObjectKey& key : keys) {
      const Stores::ObjectPointer live = objects->cache.find(key);
      if (!live || live->metadata.deleting() || wanted.contains({live->kind, key})) continue;
      const kube::OwnerReference* owner = kube::controller_of(live->metadata);
      if (owner == nullptr || !ours.contains(owner->uid)) continue;
      const auto removed = co_await remove(*objects, live->metadata);
      if (removed.ok()) continue;
      if (!is_rejection(removed.error())) co_return removed;
      outcome.failures.push_back(removed.error().message());
    }
  }
  co_return Result<void>();
}

}  // namespace slurmop::process
