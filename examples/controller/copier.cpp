// SPDX-License-Identifier: Apache-2.0
#include "copier.h"

#include "json/pointer.h"
#include "kube/api/conditions.h"
#include "kube/api/finalizers.h"
#include "kube/api/owner_reference.h"
#include "kube/client/needs_apply.h"
#include "kube/client/prune.h"

#include <fmt/format.h>

#include <set>

namespace example {
namespace {

using base::Result;
using kube::ObjectKey;

const std::string kManager = "config-map-copier";
const std::string kMadeFor =
    "example.com/made-for";  // label of copies: the uid of their ConfigMapCopy
constexpr std::string_view kFinalizer = "example.com/copies";

std::string spec(const kube::DynamicObject& copy, std::string field) {
  const json::Value* value = json::find(copy.content, {"spec", std::move(field)});
  return value != nullptr && value->as_string() != nullptr ? *value->as_string() : std::string();
}

// The desired ConfigMap of a namespace.
Result<json::Object> desired(const kube::DynamicObject& copy,
                             const kube::ConfigMap& source,
                             const std::string& ns) {
  kube::ConfigMap map;
  map.metadata.name = copy.metadata.name;
  map.metadata.namespace_ = ns;
  map.metadata.labels[kMadeFor] = copy.metadata.uid.value();
  map.data = source.data;
  if (ns == copy.metadata.namespace_) {
    TRY(map.metadata.ownerReferences.emplace_back(),
        kube::controller_reference(kube::owner(copy, config_map_copies()), ns));
  }
  return kube::encode_object(map);
}

}  // namespace

kube::Resource config_map_copies() {
  return kube::resource_named("example.com/v1", "ConfigMapCopy", "configmapcopies");
}

Copier::Copier(kube::Access access)
    : access_(access),
      copies_(access, {.may_be_absent = true}, config_map_copies()),
      sources_(access),
      namespaces_(access),
      made_(access, {.label_selector = kMadeFor}, kube::kConfigMaps),
      made_by_(made_.add_index(kube::label_value<Object>(kMadeFor))),
      copy_api_(access.loop, access.client, config_map_copies()),
      map_api_(access.loop, access.client, kube::kConfigMaps),
      controller_(
          access.loop,
          {"config-map-copier", 4},
          [this](ObjectKey key) { return reconcile(std::move(key)); },
          access.log) {
  const auto all = [this](const auto&) { return all_copies(); };
  controller_.watch(copies_);
  controller_.watch(sources_, all);
  controller_.watch(namespaces_, all);
  controller_.watch(made_, all);
}

std::vector<ObjectKey> Copier::all_copies() const {
  std::vector<ObjectKey> keys;
  for (const auto& [key, copy] : copies_.store().objects()) keys.push_back(key);
  return keys;
}

net::Task<Result<kube::Requeue>> Copier::reconcile(ObjectKey key) {
  const auto copy = copies_.find(key);
  if (!copy) co_return kube::Requeue::on_change();
  if (copy->metadata.deleting()) {
    CO_TRY_VOID(co_await clean_up(*copy));
    co_return kube::Requeue::on_change();
  }
  if (!copy->metadata.has_finalizer(kFinalizer)) {
    CO_TRY_VOID(co_await copy_api_.patch(
        key, kube::PatchType::merge, kube::adding_finalizer(copy->metadata, kFinalizer)));
    co_return kube::Requeue::on_change();  // the watch will deliver the new version
  }
  const std::string name = spec(*copy, "configMap");
  const auto source = sources_.find({key.ns, name});
  if (!source) {
    CO_TRY_VOID(co_await set_ready(
        *copy, {"Ready", "False", "NoSource", fmt::format("ConfigMap {} does not exist", name)}));
    co_return kube::Requeue::on_change();
  }
  CO_TRY_VOID(co_await make_copies(*copy, *source));
  co_return kube::Requeue::on_change();
}

net::Task<Result<void>> Copier::make_copies(const Object& copy, const kube::ConfigMap& source) {
  std::set<ObjectKey> wanted;
  for (const auto& [key, ns] : namespaces_.store().objects()) {
    if (ns->metadata.labels.contains(spec(copy, "namespaceLabel")) && !ns->metadata.deleting())
      wanted.insert({key.name, copy.metadata.name});
  }
  for (const ObjectKey& key : wanted) {
    CO_TRY(json::Object map, desired(copy, source, key.ns));
    const auto live = made_.find(key);
    if (live && !kube::needs_apply(live->content, map, kManager)) continue;
    CO_TRY_VOID(co_await map_api_.apply(std::move(map), {kManager, kube::Conflicts::force}));
  }
  const std::set<ObjectKey> made = made_by_.find(copy.metadata.uid.value());
  for (const ObjectKey& key : made) {
    const auto live = made_.find(key);
    if (wanted.contains(key) || !live || live->metadata.deleting()) continue;
    CO_TRY_VOID(co_await map_api_.remove(key, {.uid = live->metadata.uid}));
  }
  co_return co_await set_ready(
      copy, {"Ready", "True", "Copied", fmt::format("copied to {} namespaces", wanted.size())});
}

// All copies of the object are deleted before the object itself.
net::Task<Result<void>> Copier::clean_up(const Object& copy) {
  if (!copy.metadata.has_finalizer(kFinalizer)) co_return Result<void>();
  const std::string selector = kMadeFor + "=" + copy.metadata.uid.value();
  const kube::Api<kube::PartialObject> maps(access_.loop, access_.client, kube::kConfigMaps);
  CO_TRY_VOID(co_await kube::prune(maps, {{.label_selector = selector}, {}}));
  CO_TRY_VOID(co_await copy_api_.patch(copy.metadata.key(),
                                       kube::PatchType::merge,
                                       kube::removing_finalizer(copy.metadata, kFinalizer)));
  co_return Result<void>();
}

net::Task<Result<void>> Copier::set_ready(const Object& copy, kube::Condition ready) {
  kube::Conditions conditions = kube::read_conditions(copy.content);
  ready.observedGeneration = copy.metadata.generation;
  if (!kube::set_condition(conditions, std::move(ready), access_.loop.clock().wall()))
    co_return Result<void>();
  json::Object body{
      {"metadata",
       json::Object{{"name", copy.metadata.name}, {"namespace", copy.metadata.namespace_}}},
      {"status", json::Object{{"conditions", kube::encode_conditions(conditions)}}}};
  CO_TRY_VOID(
      co_await copy_api_.status().apply(std::move(body), {kManager, kube::Conflicts::force}));
  co_return Result<void>();
}

}  // namespace example
