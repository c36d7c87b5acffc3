// SPDX-License-Identifier: Apache-2.0
// delete: at once, after the grace period, or when the last finalizer is removed.
#include "base/integer.h"
#include "base/rfc3339.h"
#include "models/kube/json.h"
#include "models/kube/pod_rules.h"
#include "models/kube/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace models::kube {
namespace {

std::optional<std::int64_t> int_at(const json::Value& value, Way way) {
  const json::Value* there = at(value, way);
  if (there == nullptr || there->as_int() == nullptr) return std::nullopt;
  return *there->as_int();
}

// Options are in the body or in the query.
std::optional<std::int64_t> wanted_grace(const json::Value& options, const Query& query) {
  if (const auto grace = int_at(options, {"gracePeriodSeconds"})) return grace;
  const auto grace = base::parse_integer<std::int64_t>(query.get("gracePeriodSeconds"));
  return grace.ok() ? std::optional(*grace) : std::nullopt;
}

std::string_view wanted_propagation(const json::Value& options, const Query& query) {
  const std::string_view policy = text_at(options, {"propagationPolicy"});
  return policy.empty() ? query.get("propagationPolicy") : policy;
}

Refused check_preconditions(const KubeResource& resource,
                            const json::Value& options,
                            const json::Value& object) {
  const std::string_view name = text_at(object, {"metadata", "name"});
  const std::string_view uid = text_at(options, {"preconditions", "uid"});
  const std::string_view held_uid = text_at(object, {"metadata", "uid"});
  if (!uid.empty() && uid != held_uid) {
    return conflict(resource.kind,
                    name,
                    fmt::format("the UID in the precondition ({}) does not match the UID in record "
                                "({}). The object might have been deleted and then recreated",
                                uid,
                                held_uid));
  }
  const std::string_view version = text_at(options, {"preconditions", "resourceVersion"});
  const std::string_view held = text_at(object, {"metadata", "resourceVersion"});
  if (!version.empty() && version != held) {
    return conflict(
        resource.kind,
        name,
        fmt::format("the ResourceVersion in the precondition ({}) does not match the "
                    "ResourceVersion in record ({}). The object might have been modified",
                    version,
                    held));
  }
  return std::nullopt;
}

// The finalizer that keeps the object until the garbage collector has processed its dependents.
void hold_for_dependents(std::string_view policy, json::Value& object) {
  if (policy != "Foreground" && policy != "Orphan") return;
  const std::string_view holder = policy == "Orphan" ? "orphan" : "foregroundDeletion";
  json::Array finalizers = array_at(object, {"metadata", "finalizers"});
  if (std::ranges::find(finalizers, json::Value(holder)) != finalizers.end()) return;
  finalizers.emplace_back(holder);
  object_in(*object.as_object(), "metadata").set("finalizers", std::move(finalizers));
}

void set_deleted(json::Value& object, base::WallTime when, std::int64_t grace) {
  json::Object& metadata = object_in(*object.as_object(), "metadata");
  metadata.set("deletionTimestamp", base::format_rfc3339(when + std::chrono::seconds(grace)));
  metadata.set("deletionGracePeriodSeconds", grace);
}

void count_generation(json::Value& object) {
  const auto generation = int_at(object, {"metadata", "generation"});
  if (generation) object_in(*object.as_object(), "metadata").set("generation", *generation + 1);
}

// A second delete can only shorten the grace period. False: nothing changes.
bool shorten_grace(std::optional<std::int64_t> wanted, json::Value& object) {
  const auto grace = int_at(object, {"metadata", "deletionGracePeriodSeconds"});
  if (!wanted || !grace || *wanted >= *grace) return false;
  const auto end = base::parse_rfc3339(text_at(object, {"metadata", "deletionTimestamp"}));
  if (!end.ok()) return false;
  set_deleted(object, *end - std::chrono::seconds(*grace), std::max<std::int64_t>(*wanted, 0));
  return true;
}

RevisionPtr not_written(const RevisionPtr& old, const json::Value& object) {
  return std::make_shared<Revision>(Revision{old->version, object, object.dump()});
}

std::string success_body(const KubeResource& resource, const json::Value& object) {
  json::Object details{{"name", text_at(object, {"metadata", "name"})}};
  if (!resource.group.empty()) details.set("group", resource.group);
  details.set("kind", resource.plural).set("uid", text_at(object, {"metadata", "uid"}));
  return json::Value(json::Object{{"kind", "Status"},
                                  {"apiVersion", "v1"},
                                  {"metadata", json::Object{}},
                                  {"status", "Success"},
                                  {"details", std::move(details)}})
      .dump();
}

Refused check_options(const json::Value& options) {
  const std::string_view kind = text_at(options, {"kind"});
  if (kind.empty() || kind == "DeleteOptions") return std::nullopt;
  return bad_request(fmt::format(
      R"(no kind "{}" is registered for version "{}" in scheme "pkg/runtime/scheme.go:111")",
      kind,
      "meta.k8s.io/v1"));
}

}  // namespace

// Marks the object as deleted, in a new version, unless the mark would not change.
RevisionPtr KubeServer::mark_deleted(Call& call, const RevisionPtr& old) {
  const KubeTarget& target = call.target;
  const auto wanted = wanted_grace(call.body, target.query);
  json::Value object = old->value;
  if (is_deleting(object)) {
    if (!shorten_grace(wanted, object)) return old;
  } else if (target.resource().plural == "namespaces") {
    object_in(*object.as_object(), "metadata")
        .set("deletionTimestamp", base::format_rfc3339(clock_.wall()));
    object_in(*object.as_object(), "status").set("phase", "Terminating");
  } else {
    const bool is_pod = target.resource().plural == "pods";
    hold_for_dependents(wanted_propagation(call.body, target.query), object);
    set_deleted(object, clock_.wall(), is_pod ? pod_grace(object, wanted) : 0);
    count_generation(object);
  }
  if (call.dry_run) return not_written(old, object);
  return commit(target, {"delete", "", std::move(object)});
}

Refused KubeServer::remove_object(Call& call, const RevisionPtr& old, Removal& removal) {
  const KubeTarget& target = call.target;
  if (Refused refused = check_preconditions(target.resource(), call.body, old->value)) {
    return refused;
  }
  const std::string_view policy = wanted_propagation(call.body, target.query);
  const bool is_held = has_finalizers(old->value) || policy == "Foreground" || policy == "Orphan";
  const bool is_namespace = target.resource().plural == "namespaces";
  const bool has_grace = target.resource().plural == "pods";
  if (!has_grace && !is_namespace && !is_held) {
    removal = {old, true};
    if (!call.dry_run) commit(target, {"delete", "", std::nullopt});
    return std::nullopt;
  }
  const RevisionPtr marked = mark_deleted(call, old);
  removal = {marked, !is_namespace && may_go(marked->value)};
  if (removal.gone && !call.dry_run) {
    commit(target, {"delete", "", std::nullopt});
    const Change& last = collection(target).history().back();
    removal.shown = not_written(marked, last.last_value());
  }
  return std::nullopt;
}

net::http::Response KubeServer::remove(Call& call) {
  if (Refused refused = read_optional_body(call)) return answer(*refused);
  if (Refused refused = check_options(call.body)) return answer(*refused);
  if (!array_at(call.body, {"dryRun"}).empty()) call.dry_run = true;
  const RevisionPtr old = collection(call.target).find(call.target.key());
  const KubeResource& resource = call.target.resource();
  if (old == nullptr) return answer(not_found(resource, call.target.name));
  Removal removal;
  if (Refused refused = remove_object(call, old, removal)) return answer(*refused);
  const bool shows_object = resource.plural == "pods" || !removal.gone;
  if (!shows_object) return answer(200, success_body(resource, old->value));
  return answer(200, shown(call.target, removal.shown));
}

net::http::Response KubeServer::remove_matching(Call& call) {
  if (Refused refused = read_optional_body(call)) return answer(*refused);
  if (Refused refused = check_options(call.body)) return answer(*refused);
  if (call.target.resource().namespaced && call.target.ns.empty()) {
    return answer(method_not_allowed());
  }
  const auto parsed = Selector::parse(call.target.query.get("labelSelector"),
                                      call.target.query.get("fieldSelector"),
                                      call.target.resource());
  if (!parsed.ok()) return answer(bad_request(parsed.error().message()));
  Response listed = list(call.target);
  std::vector<RevisionPtr> doomed;
  const std::string prefix = call.target.ns.empty() ? "" : call.target.ns + "/";
  for (const auto& [key, revision] : collection(call.target).objects()) {
    if (key.starts_with(prefix) && parsed->matches(revision->value)) doomed.push_back(revision);
  }
  for (const RevisionPtr& one : doomed) {
    call.target.name = text_at(one->value, {"metadata", "name"});
    Removal removal;
    if (Refused refused = remove_object(call, one, removal)) return answer(*refused);
  }
  return listed;
}

net::http::Response KubeServer::evict(Call& call) {
  if (Refused refused = read_optional_body(call)) return answer(*refused);
  const json::Value* options = at(call.body, {"deleteOptions"});
  json::Value wanted = options == nullptr ? json::Value(json::Object{}) : *options;
  call.body = std::move(wanted);
  const RevisionPtr old = collection(call.target).find(call.target.key());
  if (old == nullptr) return answer(not_found(call.target.resource(), call.target.name));
  Removal removal;
  if (Refused refused = remove_object(call, old, removal)) return answer(*refused);
  return answer(
      201, R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})");
}

}  // namespace models::kube
