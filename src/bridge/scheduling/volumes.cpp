// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/volumes.h"

#include "bridge/runtime/role_context.h"
#include "bridge/scheduling/timing.h"
#include "json/patch.h"
#include "kube/client/api.h"

#include <fmt/format.h>

namespace bridge::scheduling {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using kube::ObjectKey;
using kube::PersistentVolume;
using kube::PersistentVolumeClaim;
using kube::StorageClass;
using workload::VolumePlaces;
using namespace std::chrono_literals;

std::vector<ObjectKey> claims_of(const kube::Pod& pod) {
  std::vector<ObjectKey> keys;
  for (std::string& name : pod.claims()) keys.push_back({pod.metadata.namespace_, std::move(name)});
  return keys;
}

Error wrong_node(const PersistentVolumeClaim& claim, const kube::Node& node, std::string_view why) {
  return Error(Kind::conflict,
               fmt::format("claim {} cannot be served on node {}: {}",
                           claim.metadata.key().to_string(),
                           node.metadata.name,
                           why));
}

// The patch that sets the selected node of a claim; null removes it.
json::Object selected_node(json::Value node) {
  json::Object annotations{{workload::kSelectedNode, std::move(node)}};
  return {{"metadata", json::Object{{"annotations", std::move(annotations)}}}};
}

json::Object given_to(const PersistentVolumeClaim& claim) {
  json::Object annotations{{"pv.kubernetes.io/bound-by-controller", "yes"}};
  json::Object holder{{"apiVersion", "v1"},
                      {"kind", "PersistentVolumeClaim"},
                      {"namespace", claim.metadata.namespace_},
                      {"name", claim.metadata.name},
                      {"uid", claim.metadata.uid.value()}};
  return {{"metadata", json::Object{{"annotations", std::move(annotations)}}},
          {"spec", json::Object{{"claimRef", std::move(holder)}}}};
}

// After a write: false, the claim is not bound yet. A conflicting change of the object is no reason
// against the node; the object is read again.
Result<bool> under_way(const Result<void>& written) {
  if (written.ok() || written.error().is(Kind::conflict)) return false;
  return written.error();
}

}  // namespace

bool has_claims(const kube::Pod& pod) {
  return !claims_of(pod).empty();
}

VolumeReader::VolumeReader(net::Loop& loop, net::TaskGroup& tasks, kube::Client& kube)
    : loop_(loop),
      kube_(kube),
      claims_(loop,
              tasks,
              [this](ObjectKey key) { return read<PersistentVolumeClaim>(std::move(key)); },
              {.fresh = kClaimsFresh, .after_failure = kClaimsFresh, .most = 8192}),
      volumes_(loop,
               tasks,
               [this](ObjectKey key) { return read<PersistentVolume>(std::move(key)); },
               {}),
      classes_(
          loop, tasks, [this](ObjectKey key) { return read<StorageClass>(std::move(key)); }, {}),
      all_volumes_(loop,
                   tasks,
                   [this](std::string from) { return list_volumes(std::move(from)); },
                   {.fresh = kListFresh, .after_failure = 1s, .most = 1}) {}

template <class T>
net::Task<Result<T>> VolumeReader::read(ObjectKey key) {
  co_return co_await kube::Api<T>(loop_, kube_).within(runtime::kCallTimeout).get(std::move(key));
}

net::Task<Result<std::vector<PersistentVolume>>> VolumeReader::list_volumes(std::string) {
  const auto volumes = kube::Api<PersistentVolume>(loop_, kube_).within(runtime::kCallTimeout);
  CO_TRY(auto listed, co_await volumes.list_readable());
  co_return std::move(listed.objects);
}

workload::ClaimFacts VolumeReader::Claim::facts() const {
  return {*claim, volume.get(), storage_class.get(), volumes.get()};
}

net::Task<Result<VolumeReader::Claim>> VolumeReader::look_at(ObjectKey key) {
  Claim all;
  CO_TRY(all.claim, co_await claims_.get(key));
  const kube::PersistentVolumeClaimSpec& spec = all.claim->spec;
  if (!spec.volumeName.empty()) {
    CO_TRY(all.volume, co_await volumes_.get({"", spec.volumeName}));
    co_return all;
  }
  if (spec.storageClassName.value_or("").empty()) co_return all;
  CO_TRY(all.storage_class, co_await classes_.get({"", *spec.storageClassName}));
  if (all.storage_class->waits_for_a_pod() && workload::has_no_provisioner(*all.storage_class)) {
    CO_TRY(all.volumes, co_await all_volumes_.get(""));
  }
  co_return all;
}

net::Task<Result<VolumePlaces>> VolumeReader::of(const kube::Pod& pod) {
  return places(claims_of(pod));
}

net::Task<Result<VolumePlaces>> VolumeReader::places(std::vector<ObjectKey> claims) {
  VolumePlaces all;
  for (const ObjectKey& key : claims) {
    CO_TRY(const Claim claim, co_await look_at(key));
    CO_TRY(auto place, workload::place_of(claim.facts()));
    if (place) all.places.push_back(*std::move(place));
    if (claim.claim->spec.for_one_pod()) all.for_one_pod.push_back(key.name);
  }
  co_return all;
}

net::Task<Result<VolumeReader::Prepared>> VolumeReader::prepare(const kube::Pod& pod,
                                                                const kube::Node& node) {
  return prepare_all(claims_of(pod), node);
}

net::Task<Result<VolumeReader::Prepared>> VolumeReader::prepare_all(std::vector<ObjectKey> claims,
                                                                    kube::Node node) {
  Prepared all;
  for (const ObjectKey& key : claims) {
    CO_TRY(const Claim claim, co_await look_at(key));
    CO_TRY(const bool one, co_await prepare_one(claim, node));
    all.ready = all.ready && one;
    if (claim.claim->spec.for_one_pod()) all.for_one_pod.push_back(key.name);
  }
  co_return all;
}

net::Task<Result<bool>> VolumeReader::prepare_one(const Claim& all, const kube::Node& node) {
  const PersistentVolumeClaim& claim = *all.claim;
  CO_TRY(const auto place, workload::place_of(all.facts()));
  // Also for a bound claim: it may have been bound after the job was submitted.
  if (place && !workload::reaches(*place, node))
    co_return wrong_node(claim, node, workload::to_text(*place));
  if (claim.bound()) co_return true;
  // The claim names its volume: Kubernetes completes the binding.
  if (!claim.spec.volumeName.empty()) co_return false;
  if (workload::has_no_provisioner(*all.storage_class))
    co_return co_await take_free_volume(all, node);
  if (!claim.metadata.annotation(workload::kSelectedNode).empty()) co_return false;
  const auto written =
      co_await write(kube::kClaims, claim.metadata, selected_node(node.metadata.name));
  claims_.forget(claim.metadata.key());
  co_return under_way(written);
}

net::Task<Result<void>> VolumeReader::release(const kube::Pod& pod, std::string node) {
  return release_all(claims_of(pod), std::move(node));
}

net::Task<Result<void>> VolumeReader::release_all(std::vector<ObjectKey> claims, std::string node) {
  for (const ObjectKey& key : claims) {
    claims_.forget(key);  // requires a current read: the claim may have changed
    const auto claim = co_await claims_.get(key);
    if (!claim.ok()) {
      if (claim.error().is(Kind::not_found)) continue;
      co_return claim.error();
    }
    const PersistentVolumeClaim& found = **claim;
    if (!found.spec.volumeName.empty() ||
        found.metadata.annotation(workload::kSelectedNode) != node)
      continue;
    const auto written = co_await write(kube::kClaims, found.metadata, selected_node(nullptr));
    claims_.forget(key);
    if (!written.ok() && !written.error().is(Kind::not_found)) co_return written.error();
  }
  co_return Result<void>();
}

// Assigns an existing volume to the claim; Kubernetes then completes the binding.
net::Task<Result<bool>> VolumeReader::take_free_volume(const Claim& all, const kube::Node& node) {
  const PersistentVolumeClaim& claim = *all.claim;
  const PersistentVolume* volume = workload::volume_for(all.facts(), node);
  if (volume == nullptr) co_return wrong_node(claim, node, "it has no free volume for it");
  if (volume->spec.claimRef && volume->spec.claimRef->uid == claim.metadata.uid) co_return false;
  const auto written = co_await write(kube::kVolumes, volume->metadata, given_to(claim));
  all_volumes_.forget("");
  co_return under_way(written);
}

// Uses `update`, because the ClusterRole of the reference does not permit `patch`, and the bridge
// may run with that role. The object is read as a whole, so that all of its fields are kept.
net::Task<Result<void>> VolumeReader::write(kube::Resource resource,
                                            const kube::ObjectMeta& object,
                                            json::Object change) {
  const ObjectKey key = object.key();
  const std::string version = object.resourceVersion;
  const auto objects = kube::Api<kube::DynamicObject>(loop_, kube_, std::move(resource))
                           .within(runtime::kCallTimeout);
  CO_TRY(kube::DynamicObject whole, co_await objects.get(key));
  json::apply_merge_patch(whole.content, std::move(change));
  json::apply_merge_patch(whole.content,
                          json::Object{{"metadata", json::Object{{"resourceVersion", version}}}});
  CO_TRY_VOID(co_await objects.replace(whole));
  co_return Result<void>();
}

}  // namespace bridge::scheduling
