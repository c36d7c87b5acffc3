// SPDX-License-Identifier: Apache-2.0
// Server-side apply, and the owners of fields.
#include "base/rfc3339.h"
#include "models/kube/json.h"
#include "models/kube/patch.h"
#include "models/kube/server.h"

#include <fmt/format.h>

#include <utility>

namespace models::kube {
namespace {

FieldManager manager_of(const KubeTarget& target, bool applies) {
  const std::string manager(target.query.get("fieldManager"));
  return {manager.empty() ? "unknown" : manager,
          applies,
          target.resource().api_version(),
          target.subresource};
}

bool is_unschedulable(const json::Value& node) {
  const json::Value* unschedulable = at(node, {"spec", "unschedulable"});
  return unschedulable != nullptr && *unschedulable == json::Value(true);
}

// For objects without an apply, the model records only one owner in managedFields: who made a node
// unschedulable. The real server uses the program name for a client without a field manager.
void note_who_cordoned(const KubeTarget& target, const json::Value& old, json::Value& node) {
  if (is_unschedulable(old) == is_unschedulable(node)) return;
  json::Object& metadata = object_in(*node.as_object(), "metadata");
  metadata.erase("managedFields");
  if (!is_unschedulable(node)) return;
  const std::string manager(target.query.get("fieldManager"));
  json::Object spec{{"f:spec", json::Object{{"f:unschedulable", json::Object{}}}}};
  metadata.set("managedFields",
               json::Array{json::Object{{"manager", manager.empty() ? "unknown" : manager},
                                        {"operation", "Update"},
                                        {"fieldsType", "FieldsV1"},
                                        {"fieldsV1", std::move(spec)}}});
}

// An apply to the object ignores its status, and an apply to the status ignores the rest.
json::Value own_part(const KubeTarget& target, json::Value applied) {
  json::Object& root = *applied.as_object();
  if (target.subresource != "status") {
    if (target.resource().has_status) root.erase("status");
    return applied;
  }
  root.erase_if([](const json::Member& member) {
    return member.key != "apiVersion" && member.key != "kind" && member.key != "metadata" &&
           member.key != "status";
  });
  if (json::Value* metadata = at(applied, {"metadata"}); metadata && metadata->as_object())
    metadata->as_object()->erase("ownerReferences");
  return applied;
}

// Fields that admission adds to a pod have no owner.
json::Value without_admission(const json::Value& given, json::Value object) {
  json::Value* spec = at(object, {"spec"});
  if (spec == nullptr || spec->as_object() == nullptr) return object;
  for (const std::string_view key :
       {"serviceAccountName", "serviceAccount", "priority", "preemptionPolicy"}) {
    if (at(given, {"spec", key}) == nullptr) spec->as_object()->erase(key);
  }
  return object;
}

}  // namespace

void KubeServer::note_creation(Call& call, const json::Value& given) const {
  if (!call.managers) {
    json::Value made = without_admission(given, call.body);
    if (call.target.resource().has_status) made.as_object()->erase("status");
    call.managers.emplace();
    call.managers->updated(manager_of(call.target, false), json::Object{}, made);
  }
  call.managers->write(call.body, base::format_rfc3339(clock_.wall()));
}

void KubeServer::note_write(Call& call, const json::Value& old, json::Value& object) const {
  const std::string now = base::format_rfc3339(clock_.wall());
  if (call.managers) {
    call.managers->write(object, now);
    return;
  }
  FieldManagers managers = FieldManagers::read(old);
  if (tracks_all_fields_ || managers.has_appliers()) {
    if (object == old) return;
    managers.updated(manager_of(call.target, false), old, object);
    managers.write(object, now);
  } else if (call.target.resource().plural == "nodes") {
    note_who_cordoned(call.target, old, object);
  }
}

Refused KubeServer::check_apply(const Call& call) const {
  const json::Value* managed = at(call.body, {"metadata", "managedFields"});
  if (managed != nullptr && !is_empty(*managed))
    return bad_request("metadata.managedFields must be nil");
  if (Refused refused = check_shape(call.target.resource(), call.body, Verb::create))
    return refused;
  if (text_at(call.body, {"metadata", "name"}).empty()) {
    return bad_request(
        fmt::format("the name of the object ({} based on URL) was undeterminable: name must be "
                    "provided",
                    call.target.name));
  }
  json::Value named = call.body;
  return match_target(call.target, named);
}

net::http::Response KubeServer::apply_new(Call& call, const FieldManager& manager) {
  if (!call.target.subresource.empty())
    return answer(not_found(call.target.resource(), call.target.name));
  json::Value result;
  call.managers.emplace();
  (void)call.managers->apply(manager, json::Object{}, call.body, true, result);
  at(call.body, {"metadata"})->as_object()->erase("resourceVersion");
  RevisionPtr made;
  if (Refused refused = create_object(call, made)) return answer(*refused);
  return answer(201, shown(call.target, made));
}

net::http::Response KubeServer::apply(Call& call) {
  if (call.target.query.get("fieldManager").empty()) {
    return answer(invalid_options(
        "PatchOptions",
        {{"fieldManager", "Required value: is required for apply patch", "FieldValueRequired"}}));
  }
  if (Refused refused = read_body(call)) return answer(*refused);
  if (Refused refused = check_apply(call)) return answer(*refused);
  call.body = own_part(call.target, std::move(call.body));
  const FieldManager manager = manager_of(call.target, true);
  const RevisionPtr old = collection(call.target).find(call.target.key());
  if (old == nullptr) return apply_new(call, manager);

  call.managers = FieldManagers::read(old->value);
  if (!tracks_all_fields_ && !call.managers->has_appliers()) {
    call.managers.emplace();
    call.managers->begin_with(old->value, call.target.resource().api_version());
  }
  json::Value result;
  const bool force = call.target.query.is_true("force");
  if (Refused refused = call.managers->apply(manager, old->value, call.body, force, result))
    return answer(*refused);
  return write(call, old, std::move(result), Verb::patch);
}

}  // namespace models::kube
