// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/placement.h"

#include <algorithm>
#include <utility>

namespace slurmop::settle {
namespace {

constexpr std::string_view kNodeAffinity = "nodeAffinity";
constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kTerms = "nodeSelectorTerms";
constexpr std::string_view kExpressions = "matchExpressions";

json::Object not_control_plane() {
  return {{"key", std::string(kControlPlane)}, {"operator", "DoesNotExist"}};
}

std::string_view text_of(const json::Value& object, std::string_view key) {
  const json::Value* member = object.find(key);
  const std::string* text = member == nullptr ? nullptr : member->as_string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

// A toleration without a key tolerates every taint.
bool tolerates_control_plane(const json::Value& toleration) {
  const std::string_view key = text_of(toleration, "key");
  return key == kControlPlane || (key.empty() && text_of(toleration, "operator") == "Exists");
}

// The object at a key; an empty one is added if there is none. Null if it is something else.
json::Object* object_at(json::Object& parent, std::string_view key) {
  json::Value* found = parent.find(key);
  if (found == nullptr || found->is_null()) {
    parent.set(key, json::Object());
    found = parent.find(key);
  }
  return found->as_object();
}

// The list at a key; an empty one is added if there is none. Null if it is something else.
json::Array* array_at(json::Object& parent, std::string_view key) {
  json::Value* found = parent.find(key);
  if (found == nullptr || found->is_null()) {
    parent.set(key, json::Array());
    found = parent.find(key);
  }
  return found->as_array();
}

bool is_empty_list(const json::Object& term, std::string_view key) {
  const json::Value* found = term.find(key);
  if (found == nullptr || found->is_null()) return true;
  const json::Array* list = found->as_array();
  return list != nullptr && list->empty();
}

// A node must satisfy one of the terms, so each gets the expression. A term without any condition
// allows no node; with the expression it would allow most.
void exclude_from_term(json::Value& value) {
  json::Object* term = value.as_object();
  if (term == nullptr) return;
  if (is_empty_list(*term, kExpressions) && is_empty_list(*term, "matchFields")) return;
  json::Array* expressions = array_at(*term, kExpressions);
  if (expressions == nullptr) return;
  const json::Value wanted = not_control_plane();
  if (std::ranges::find(*expressions, wanted) == expressions->end()) {
    expressions->push_back(wanted);
  }
}

Placement excluding_control_plane(Placement placement) {
  if (std::ranges::none_of(placement.tolerations, tolerates_control_plane)) {
    placement.affinity = without_control_plane(std::move(placement.affinity));
  }
  return placement;
}

}  // namespace

json::Value without_control_plane(json::Value affinity) {
  if (affinity.is_null()) affinity = json::Object();
  json::Object* top = affinity.as_object();
  if (top == nullptr) return affinity;
  json::Object* node_affinity = object_at(*top, kNodeAffinity);
  if (node_affinity == nullptr) return affinity;
  const json::Value* required = node_affinity->find(kRequired);
  if (required == nullptr || required->is_null()) {
    const json::Object term = {{std::string(kExpressions), json::Array{not_control_plane()}}};
    node_affinity->set(kRequired, json::Object{{std::string(kTerms), json::Array{term}}});
    return affinity;
  }
  json::Object* terms_of = object_at(*node_affinity, kRequired);
  json::Value* terms = terms_of == nullptr ? nullptr : terms_of->find(kTerms);
  json::Array* list = terms == nullptr ? nullptr : terms->as_array();
  if (list != nullptr) std::ranges::for_each(*list, exclude_from_term);
  return affinity;
}

Placement placement_of(const api::SlurmClusterSpec& spec,
                       std::string_view filter,
                       std::string priority_class,
                       std::optional<bool> host_users) {
  Placement placement{.priority_class = std::move(priority_class), .host_users = host_users};
  const auto found = std::ranges::find(spec.k8sNodeFilters, filter, &api::NodeFilter::name);
  if (found != spec.k8sNodeFilters.end()) {
    placement.affinity = found->affinity;
    placement.node_selector = found->nodeSelector;
    placement.tolerations = found->tolerations;
  }
  return excluding_control_plane(std::move(placement));
}

Placement placement_of(const api::NodeSetSpec& spec) {
  Placement placement{.affinity = spec.affinity,
                      .node_selector = spec.nodeSelector,
                      .tolerations = spec.tolerations,
                      .priority_class = spec.priorityClass};
  // false is the default of the field and of Kubernetes' own decision; only true is a request.
  if (spec.enableHostUserNamespace) placement.host_users = true;
  return excluding_control_plane(std::move(placement));
}

}  // namespace slurmop::settle
