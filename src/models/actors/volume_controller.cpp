// SPDX-License-Identifier: Apache-2.0
#include "models/actors/volume_controller.h"

#include "models/kube/json.h"

#include <fmt/format.h>

#include <utility>

namespace models::actors {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";

std::string claim_path(const json::Value& claim) {
  return fmt::format("/api/v1/namespaces/{}/persistentvolumeclaims/{}",
                     kube::text_at(claim, {"metadata", "namespace"}),
                     kube::text_at(claim, {"metadata", "name"}));
}

std::string volume_path(const json::Value& volume) {
  return fmt::format("/api/v1/persistentvolumes/{}", kube::text_at(volume, {"metadata", "name"}));
}

json::Object annotate(std::string_view name, json::Value value) {
  return {{"metadata",
           json::Object{{"annotations", json::Object{{std::string(name), std::move(value)}}}}}};
}

json::Object in_phase(std::string_view phase) {
  return {{"status", json::Object{{"phase", std::string(phase)}}}};
}

// True if a binder has assigned this volume to this claim.
bool is_given(const json::Value& volume, const json::Value& claim) {
  const std::string_view uid = kube::text_at(volume, {"spec", "claimRef", "uid"});
  return kube::text_at(volume, {"spec", "claimRef", "namespace"}) ==
             kube::text_at(claim, {"metadata", "namespace"}) &&
         kube::text_at(volume, {"spec", "claimRef", "name"}) ==
             kube::text_at(claim, {"metadata", "name"}) &&
         (uid.empty() || uid == kube::text_at(claim, {"metadata", "uid"}));
}

}  // namespace

void VolumeController::look_at(const std::string& ns, const std::string& claim) {
  agenda_.in(options_.some_time(5ms, 2s), [this, ns, claim] { act(ns, claim); });
}

void VolumeController::act(const std::string& ns, const std::string& name) {
  const json::Value* claim = server_.find({"persistentvolumeclaims", ns, name});
  if (claim == nullptr || kube::text_at(*claim, {"status", "phase"}) == "Bound") return;
  if (const json::Value* volume = volume_for(*claim)) return bind(*claim, *volume);
  const std::string node(kube::text_at(*claim, {"metadata", "annotations", kSelectedNode}));
  const json::Value* made_by = server_.find(
      {"storageclasses", "", std::string(kube::text_at(*claim, {"spec", "storageClassName"}))});
  if (node.empty() || made_by == nullptr ||
      kube::text_at(*made_by, {"provisioner"}) == "kubernetes.io/no-provisioner")
    return;
  if (options_.refuses && options_.refuses(name, node))
    return write("PATCH", claim_path(*claim), annotate(kSelectedNode, nullptr));
  make_volume(*claim, node);
}

const json::Value* VolumeController::volume_for(const json::Value& claim) const {
  const std::string named(kube::text_at(claim, {"spec", "volumeName"}));
  if (!named.empty()) return server_.find({"persistentvolumes", "", named});
  for (const json::Value* volume : server_.all("persistentvolumes")) {
    if (is_given(*volume, claim)) return volume;
  }
  return nullptr;
}

void VolumeController::make_volume(const json::Value& claim, const std::string& node) {
  json::Object only_there{
      {"key", "kubernetes.io/hostname"}, {"operator", "In"}, {"values", json::Array{node}}};
  json::Object term{{"matchExpressions", json::Array{std::move(only_there)}}};
  json::Object required{
      {"required", json::Object{{"nodeSelectorTerms", json::Array{std::move(term)}}}}};
  json::Object holder{{"kind", "PersistentVolumeClaim"},
                      {"namespace", std::string(kube::text_at(claim, {"metadata", "namespace"}))},
                      {"name", std::string(kube::text_at(claim, {"metadata", "name"}))},
                      {"uid", std::string(kube::text_at(claim, {"metadata", "uid"}))}};
  json::Object spec{
      {"capacity", json::Object{{"storage", "1Gi"}}},
      {"accessModes", json::Array{"ReadWriteOnce"}},
      {"storageClassName", std::string(kube::text_at(claim, {"spec", "storageClassName"}))},
      {"claimRef", std::move(holder)},
      {"nodeAffinity", std::move(required)}};
  const std::string name = fmt::format("pvc-{}", kube::text_at(claim, {"metadata", "uid"}));
  write("POST",
        "/api/v1/persistentvolumes",
        json::Object{{"metadata", json::Object{{"name", name}}}, {"spec", std::move(spec)}});
}

void VolumeController::bind(const json::Value& claim, const json::Value& volume) {
  const std::string name(kube::text_at(volume, {"metadata", "name"}));
  const std::string path = claim_path(claim);
  write("PATCH", volume_path(volume) + "/status", in_phase("Bound"));
  json::Object change = annotate("pv.kubernetes.io/bind-completed", "yes");
  change.set("spec", json::Object{{"volumeName", name}});
  write("PATCH", path, std::move(change));
  write("PATCH", path + "/status", in_phase("Bound"));
}

void VolumeController::write(std::string method, std::string path, const json::Value& body) {
  const bool patch = method == "PATCH";
  net::http::Request request(std::move(method), std::move(path), body.dump());
  request.headers.emplace_back("Content-Type",
                               patch ? "application/merge-patch+json" : "application/json");
  (void)server_.handle(request);
}

}  // namespace models::actors
