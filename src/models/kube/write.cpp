// SPDX-License-Identifier: Apache-2.0
// create, update, patch and bind.
#include "models/kube/defaults.h"
#include "models/kube/json.h"
#include "models/kube/patch.h"
#include "models/kube/pod_rules.h"
#include "models/kube/server.h"

#include <fmt/format.h>

#include <utility>

namespace models::kube {
namespace {

// kind and apiVersion come first, so that lists can omit them.
void put_kind_first(const KubeResource& resource, json::Value& object) {
  json::Object& root = *object.as_object();
  const bool is_first =
      root.size() >= 2 && root.begin()[0].key == "kind" && root.begin()[1].key == "apiVersion";
  // Events are stored in the form of core/v1.
  const std::string version = resource.plural == "events" ? "v1" : resource.api_version();
  if (is_first) {
    root.set("kind", resource.kind).set("apiVersion", version);
    return;
  }
  json::Object ordered{{"kind", resource.kind}, {"apiVersion", version}};
  if (const json::Value* metadata = root.find("metadata")) ordered.set("metadata", *metadata);
  for (const json::Member& member : root) {
    if (ordered.find(member.key) == nullptr) ordered.set(member.key, member.value);
  }
  root = std::move(ordered);
}

void keep_part(std::string_view part, const json::Value& old, json::Value& object) {
  const json::Value* before = old.find(part);
  if (before != nullptr) {
    object.as_object()->set(part, *before);
  } else {
    object.as_object()->erase(part);
  }
}

// All members except metadata and status are those of the former object.
void keep_all_but_status(const json::Value& old, json::Value& object) {
  json::Object& root = *object.as_object();
  root.erase_if([&](const json::Member& member) {
    return member.key != "metadata" && member.key != "status" && old.find(member.key) == nullptr;
  });
  for (const json::Member& member : *old.as_object()) {
    if (member.key == "metadata" || member.key == "status") continue;
    const json::Value* given = root.find(member.key);
    if (given == nullptr || !(*given == member.value)) root.set(member.key, member.value);
  }
  json::Object& metadata = *at(object, {"metadata"})->as_object();
  const json::Value* owners = at(old, {"metadata", "ownerReferences"});
  if (owners != nullptr) {
    metadata.set("ownerReferences", *owners);
  } else {
    metadata.erase("ownerReferences");
  }
}

// The QoS class of a pod follows from its spec, whatever a status contains.
void keep_quality(const json::Value& old, json::Value& pod) {
  const json::Value* quality = at(old, {"status", "qosClass"});
  if (quality == nullptr) return;
  object_in(*pod.as_object(), "status").set("qosClass", json::Value(*quality));
}

bool is_same_part(std::string_view part, const json::Value& a, const json::Value& b) {
  const json::Value* left = a.find(part);
  const json::Value* right = b.find(part);
  if (left == nullptr || right == nullptr) return left == right;
  return *left == *right;
}

net::http::Response success(int code) {
  return answer(code,
                json::Value(json::Object{{"kind", "Status"},
                                         {"apiVersion", "v1"},
                                         {"metadata", json::Object{}},
                                         {"status", "Success"},
                                         {"code", code}})
                    .dump());
}

// Rules of single kinds for a new object.
Refused check_new(const KubeTarget& target, const json::Value& object) {
  const KubeResource& resource = target.resource();
  const std::string_view name = text_at(object, {"metadata", "name"});
  if (resource.plural == "pods") return check_new_pod(resource, object);
  if (resource.plural == "leases") {
    const json::Value* seconds = at(object, {"spec", "leaseDurationSeconds"});
    if (seconds != nullptr && seconds->as_int() != nullptr && *seconds->as_int() <= 0) {
      return invalid(
          resource,
          name,
          {{"spec.leaseDurationSeconds",
            fmt::format("Invalid value: {}: must be greater than 0", *seconds->as_int())}});
    }
  }
  if (resource.plural == "events") {
    const std::string_view ns = text_at(object, {"involvedObject", "namespace"});
    if (ns != target.ns && !(ns.empty() && target.ns == "default")) {
      return invalid(resource,
                     name,
                     {{"involvedObject.namespace",
                       fmt::format("Invalid value: \"{}\": does not match event.namespace", ns)}});
    }
  }
  return std::nullopt;
}

}  // namespace

Refused KubeServer::check_namespace(const KubeTarget& target) const {
  if (!target.resource().namespaced) return std::nullopt;
  const ServedResource* spaces = served_as("namespaces", "");
  const RevisionPtr space = collections_[spaces->storage].find(target.ns);
  if (space == nullptr) return not_found(spaces->resource, target.ns);
  if (!is_deleting(space->value)) return std::nullopt;
  const KubeResource& resource = target.resource();
  Refusal refusal{403,
                  "Forbidden",
                  fmt::format("{} \"{}\" is forbidden: unable to create new content in namespace "
                              "{} because it is being terminated",
                              resource.qualified_plural(),
                              target.name,
                              target.ns),
                  {{"name", target.name}, {"kind", resource.plural}},
                  {}};
  refusal.details.set("causes",
                      json::Array{json::Object{
                          {"reason", "NamespaceTerminating"},
                          {"message", fmt::format("namespace {} is being terminated", target.ns)},
                          {"field", "metadata.namespace"}}});
  return refusal;
}

Refused KubeServer::begin_object(const KubeTarget& target, json::Value& object) {
  const KubeResource& resource = target.resource();
  const Birth birth{born_ + 1, clock_.wall()};
  if (resource.has_status && resource.plural != "nodes") object.as_object()->erase("status");
  if (Refused refused = begin_metadata(target, birth, object)) return refused;
  put_kind_first(resource, object);
  normalize(resource, object);
  if (resource.plural == "pods") pod_begin(object, birth.now);
  if (resource.plural == "namespaces") {
    object_in(*object.as_object(), "spec").set("finalizers", json::Array{"kubernetes"});
  }
  return check_new(target, object);
}

Refused KubeServer::create_object(Call& call, RevisionPtr& made) {
  KubeTarget& target = call.target;
  const KubeResource& resource = target.resource();
  if (resource.namespaced && target.ns.empty()) return method_not_allowed();
  if (Refused refused = check_shape(resource, call.body, Verb::create)) return refused;
  if (Refused refused = match_target(target, call.body)) return refused;
  target.name = text_at(call.body, {"metadata", "name"});
  if (Refused refused = check_namespace(target)) return refused;
  const bool tracks = tracks_all_fields_ || call.managers;
  const json::Value given = tracks ? call.body : json::Value();
  if (Refused refused = begin_object(target, call.body)) return refused;
  if (tracks) note_creation(call, given);
  target.name = text_at(call.body, {"metadata", "name"});
  if (collection(target).find(target.key()) != nullptr) {
    return already_exists(resource, target.name);
  }
  if (call.dry_run) {
    made = std::make_shared<Revision>(Revision{0, call.body, call.body.dump()});
    return std::nullopt;
  }
  ++born_;
  made = commit(target, {"create", "", std::move(call.body)});
  return std::nullopt;
}

net::http::Response KubeServer::create(Call& call) {
  RevisionPtr made;
  if (Refused refused = read_body(call)) return answer(*refused);
  if (Refused refused = create_object(call, made)) return answer(*refused);
  return answer(201, shown(call.target, made));
}

Refused KubeServer::check_write(const KubeTarget& target,
                                const json::Value& old,
                                json::Value& object,
                                Verb verb) const {
  const KubeResource& resource = target.resource();
  if (Refused refused = check_shape(resource, object, verb)) return refused;
  if (Refused refused = match_target(target, object)) return refused;
  put_kind_first(resource, object);
  const bool is_status = target.subresource == "status";
  if (is_status) keep_all_but_status(old, object);
  if (is_status && resource.plural == "pods") keep_quality(old, object);
  normalize(resource, object);
  if (Refused refused = carry_metadata(target, old, object, verb)) return refused;
  if (is_status) return std::nullopt;
  if (resource.has_status) keep_part("status", old, object);
  if (resource.counts_generations && !is_same_part("spec", old, object)) {
    if (resource.plural == "pods") {
      if (Refused refused = check_pod_update(resource, old, object)) return refused;
    }
    const json::Value* generation = at(old, {"metadata", "generation"});
    const bool counts = generation != nullptr && generation->as_int() != nullptr;
    object_in(*object.as_object(), "metadata")
        .set("generation", counts ? *generation->as_int() + 1 : 1);
  }
  return std::nullopt;
}

net::http::Response KubeServer::write(Call& call,
                                      const RevisionPtr& old,
                                      json::Value object,
                                      Verb verb) {
  const KubeTarget& target = call.target;
  if (Refused refused = check_write(target, old->value, object, verb)) return answer(*refused);
  note_write(call, old->value, object);
  if (object == old->value) return answer(200, shown(target, old));
  const std::string_view action = verb == Verb::update ? "update" : "patch";
  const bool goes = may_go(object);
  if (goes || call.dry_run) {
    // The answer contains the object that would have been written, with the former version.
    const RevisionPtr last =
        std::make_shared<Revision>(Revision{old->version, object, object.dump()});
    if (!call.dry_run) commit(target, {action, target.subresource, std::nullopt});
    return answer(200, shown(target, last));
  }
  return answer(200,
                shown(target, commit(target, {action, target.subresource, std::move(object)})));
}

net::http::Response KubeServer::update(Call& call) {
  if (Refused refused = read_body(call)) return answer(*refused);
  const RevisionPtr old = collection(call.target).find(call.target.key());
  if (old != nullptr) return write(call, old, std::move(call.body), Verb::update);
  const std::string name = call.target.name;
  if (!call.target.resource().put_creates || !call.target.subresource.empty()) {
    if (Refused refused = match_target(call.target, call.body)) return answer(*refused);
    return answer(not_found(call.target.resource(), name));
  }
  RevisionPtr made;
  if (Refused refused = create_object(call, made)) return answer(*refused);
  return answer(201, shown(call.target, made));
}

net::http::Response KubeServer::patch(Call& call) {
  const auto kind = patch_kind(call.request.header("Content-Type").value_or(""));
  if (!kind) return answer(unsupported_media_type());
  if (*kind == PatchKind::apply) return apply(call);
  if (call.target.query.has("force")) {
    return answer(invalid_options(
        "PatchOptions",
        {{"force", "Forbidden: may not be specified for non-apply patch", "FieldValueForbidden"}}));
  }
  if (Refused refused = read_body(call)) return answer(*refused);
  const RevisionPtr old = collection(call.target).find(call.target.key());
  if (old == nullptr) return answer(not_found(call.target.resource(), call.target.name));
  json::Value object = old->value;
  if (Refused refused = apply_patch(*kind, call.body, object)) return answer(*refused);
  return write(call, old, std::move(object), Verb::patch);
}

net::http::Response KubeServer::bind(Call& call) {
  if (Refused refused = read_body(call)) return answer(*refused);
  KubeTarget& target = call.target;
  const std::string_view name = text_at(call.body, {"metadata", "name"});
  if (target.name.empty()) target.name = name;  // POST namespaces/NS/bindings
  if (!name.empty() && name != target.name) {
    return answer(bad_request("name in URL does not match name in Binding object"));
  }
  const RevisionPtr old = collection(target).find(target.key());
  if (old == nullptr) return answer(not_found(target.resource(), target.name));
  json::Value pod = old->value;
  if (Refused refused = bind_pod(target, call.body, clock_.wall(), pod)) return answer(*refused);
  if (!call.dry_run) commit(target, {"bind", "binding", std::move(pod)});
  return success(201);
}

net::http::Response KubeServer::finalize_namespace(Call& call) {
  if (Refused refused = read_body(call)) return answer(*refused);
  const RevisionPtr old = collection(call.target).find(call.target.key());
  if (old == nullptr) return answer(not_found(call.target.resource(), call.target.name));
  json::Value object = old->value;
  json::Object& spec = object_in(*object.as_object(), "spec");
  const json::Value* finalizers = at(call.body, {"spec", "finalizers"});
  if (finalizers == nullptr || is_empty(*finalizers)) {
    spec.erase("finalizers");
  } else {
    spec.set("finalizers", *finalizers);
  }
  if (spec.find("finalizers") == nullptr && may_go(object)) {
    commit(call.target, {"update", "finalize", std::nullopt});
    return answer(200, object.dump());
  }
  return answer(200, commit(call.target, {"update", "finalize", std::move(object)})->text);
}

}  // namespace models::kube
