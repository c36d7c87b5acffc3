// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/writes.h"

#include "bridge/nodes/cordon.h"
#include "json/patch.h"
#include "kube/client/version_patch.h"
#include "workload/wellknown.h"

#include <algorithm>
#include <utility>

namespace bridge::nodes {
namespace {

// At most one of the two annotations is set.
json::Object patch_of(const kube::Node& node, json::Value note, json::Value lifted = nullptr) {
  json::Object annotations;
  annotations.set(workload::kDrainReason, std::move(note));
  annotations.set(workload::kCordonLifted, std::move(lifted));
  return {{"metadata",
           json::Object{{"uid", node.metadata.uid.value()},
                        {"resourceVersion", node.metadata.resourceVersion},
                        {"annotations", std::move(annotations)}}}};
}

}  // namespace

kube::WriteOptions node_write_options() {
  return {.field_manager = std::string(kFieldManager)};
}

json::Object cordon_patch(const kube::Node& node, const std::string& reason) {
  return patch_of(node, reason).set("spec", json::Object{{"unschedulable", true}});
}

json::Object uncordon_patch(const kube::Node& node) {
  return patch_of(node, nullptr).set("spec", json::Object{{"unschedulable", nullptr}});
}

json::Object note_lifted_patch(const kube::Node& node, const std::string& reason) {
  return patch_of(node, nullptr, reason);
}

json::Object forget_cordon_patch(const kube::Node& node) {
  return patch_of(node, nullptr);
}

json::Array add_taint_patch(const kube::Node& node, const kube::Taint& taint) {
  const json::Object added{{"key", taint.key}, {"value", taint.value}, {"effect", taint.effect}};
  json::JsonPatch patch = kube::patch_of_version(node.metadata);
  if (node.spec.taints.empty()) {
    patch.add(json::pointer_text({"spec", "taints"}), json::Array{added});
  } else {
    patch.add(json::pointer_text({"spec", "taints", "-"}), added);
  }
  return std::move(patch).operations();
}

json::Array remove_taint_patch(const kube::Node& node, const kube::Taint& taint) {
  const auto found = std::ranges::find(node.spec.taints, taint);
  const auto place = std::to_string(found - node.spec.taints.begin());
  json::JsonPatch patch = kube::patch_of_version(node.metadata);
  patch.remove(json::pointer_text({"spec", "taints", place}));
  return std::move(patch).operations();
}

}  // namespace bridge::nodes
