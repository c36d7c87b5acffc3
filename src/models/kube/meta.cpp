// SPDX-License-Identifier: Apache-2.0
#include "models/kube/meta.h"

#include "base/integer.h"
#include "base/rfc3339.h"
#include "models/kube/json.h"
#include "models/kube/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace models::kube {
namespace {

bool is_map_of_text(const json::Value* map) {
  if (map == nullptr || map->is_null()) return true;
  const json::Object* object = map->as_object();
  return object != nullptr && std::ranges::all_of(*object, [](const json::Member& member) {
           return member.value.as_string() != nullptr;
         });
}

bool is_list_of_text(const json::Value* list) {
  if (list == nullptr || list->is_null()) return true;
  const json::Array* array = list->as_array();
  return array != nullptr && std::ranges::all_of(*array, [](const json::Value& element) {
           return element.as_string() != nullptr;
         });
}

Refusal wrong_type(const KubeResource& resource,
                   const json::Value& object,
                   Verb verb,
                   std::string_view why) {
  if (verb == Verb::patch) {
    Refusal refusal = invalid(
        KubeResource(), "", {{"patch", fmt::format("Invalid value: {}: {}", object.dump(), why)}});
    refusal.details.erase("kind");  // the real server omits it here
    return refusal;
  }
  return bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}",
                                 resource.kind,
                                 resource.version,
                                 resource.kind,
                                 why));
}

// Copies a member from the former object, or removes it if the former object did not have it.
void keep_old(json::Object& metadata, const json::Value& old, std::string_view key) {
  const json::Value* before = at(old, {"metadata", key});
  if (before != nullptr) {
    metadata.set(key, *before);
  } else {
    metadata.erase(key);
  }
}

std::vector<std::string> new_finalizers(const json::Value& old, const json::Value& object) {
  const json::Array& before = array_at(old, {"metadata", "finalizers"});
  std::vector<std::string> fresh;
  for (const json::Value& finalizer : array_at(object, {"metadata", "finalizers"})) {
    if (std::ranges::find(before, finalizer) == before.end()) {
      fresh.push_back("\"" + *finalizer.as_string() + "\"");
    }
  }
  return fresh;
}

Cause immutable(std::string field, const json::Value& value) {
  return {std::move(field), fmt::format("Invalid value: {}: field is immutable", value.dump())};
}

// The parts that only the server writes.
void carry_identity(const json::Value& old, json::Value& object, std::vector<Cause>& causes) {
  json::Object& metadata = *at(object, {"metadata"})->as_object();
  const std::string_view uid = text_at(object, {"metadata", "uid"});
  if (!uid.empty() && uid != text_at(old, {"metadata", "uid"})) {
    causes.push_back(immutable("metadata.uid", uid));
  }
  const json::Value* deleted = metadata.find("deletionTimestamp");
  if (deleted != nullptr && !is_deleting(old)) {
    causes.push_back(immutable("metadata.deletionTimestamp", *deleted));
  }
  const json::Value* grace = metadata.find("deletionGracePeriodSeconds");
  const json::Value* old_grace = at(old, {"metadata", "deletionGracePeriodSeconds"});
  if (grace != nullptr && (old_grace == nullptr || !(*grace == *old_grace))) {
    causes.push_back(immutable("metadata.deletionGracePeriodSeconds", *grace));
  }
  for (const std::string_view key : {"uid",
                                     "generation",
                                     "creationTimestamp",
                                     "deletionTimestamp",
                                     "deletionGracePeriodSeconds"}) {
    keep_old(metadata, old, key);
  }
  keep_old(metadata, old, "managedFields");
  metadata.erase("selfLink");
}

Refused check_version(const KubeTarget& target,
                      const json::Value& old,
                      json::Value& object,
                      Verb verb) {
  const std::string_view given = text_at(object, {"metadata", "resourceVersion"});
  const std::string_view current = text_at(old, {"metadata", "resourceVersion"});
  const KubeResource& resource = target.resource();
  if (given == current) return std::nullopt;
  if (given.empty() || given == "0") {
    if (verb == Verb::update && !resource.may_overwrite) {
      Refusal refusal = invalid(
          resource,
          target.name,
          {{"metadata.resourceVersion", "Invalid value: 0: must be specified for an update"}});
      refusal.details.set("kind", resource.plural);
      const std::size_t kind = refusal.message.find(' ');
      refusal.message.replace(0, kind, resource.qualified_plural());
      return refusal;
    }
    at(object, {"metadata"})->as_object()->set("resourceVersion", current);
    return std::nullopt;
  }
  if (!base::parse_integer<std::uint64_t>(given).ok()) {
    return internal_error(fmt::format("strconv.ParseUint: parsing \"{}\": invalid syntax", given));
  }
  return modified(resource, target.name);
}

}  // namespace

bool is_deleting(const json::Value& object) {
  return at(object, {"metadata", "deletionTimestamp"}) != nullptr;
}

bool has_finalizers(const json::Value& object) {
  return !array_at(object, {"metadata", "finalizers"}).empty();
}

bool may_go(const json::Value& object) {
  if (!is_deleting(object) || has_finalizers(object)) return false;
  const json::Value* grace = at(object, {"metadata", "deletionGracePeriodSeconds"});
  return grace == nullptr || *grace == json::Value(0);
}

Refused check_shape(const KubeResource& resource, const json::Value& object, Verb verb) {
  if (object.as_object() == nullptr) {
    return wrong_type(resource, object, verb, "json: cannot unmarshal into an object");
  }
  const std::string_view kind = text_at(object, {"kind"});
  const std::string_view api = text_at(object, {"apiVersion"});
  // Events of the newer group are stored in the form of core/v1.
  const bool is_event = resource.plural == "events" && api == "v1";
  if (!api.empty() && api != resource.api_version() && !is_event) {
    const std::string why = fmt::format(
        R"(no kind "{}" is registered for version "{}" in scheme "pkg/runtime/scheme.go:111")",
        kind,
        api);
    if (verb == Verb::patch) return wrong_type(resource, object, verb, why);
    return bad_request(fmt::format(
        R"({} in version "{}" cannot be handled as a {}: {})", kind, api, resource.kind, why));
  }
  if (!kind.empty() && kind != resource.kind) {
    const std::string why =
        fmt::format("converting (v1.{}) to (core.{}): unknown conversion", kind, resource.kind);
    if (verb == Verb::patch) return wrong_type(resource, object, verb, why);
    return bad_request(fmt::format(R"({} in version "{}" cannot be handled as a {}: {})",
                                   kind,
                                   resource.version,
                                   resource.kind,
                                   why));
  }
  const json::Value* metadata = object.find("metadata");
  const bool fits = metadata == nullptr ||
                    (metadata->as_object() != nullptr && is_map_of_text(metadata->find("labels")) &&
                     is_map_of_text(metadata->find("annotations")) &&
                     is_list_of_text(metadata->find("finalizers")));
  if (!fits) return wrong_type(resource, object, verb, "json: cannot unmarshal ObjectMeta");
  return std::nullopt;
}

Refused match_target(const KubeTarget& target, json::Value& object) {
  json::Object& metadata = object_in(*object.as_object(), "metadata");
  const std::string_view ns = text_at(object, {"metadata", "namespace"});
  if (!ns.empty() && ns != target.ns) {
    return bad_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  }
  const std::string_view name = text_at(object, {"metadata", "name"});
  if (!target.name.empty() && !name.empty() && name != target.name) {
    return bad_request(fmt::format(
        "the name of the object ({}) does not match the name on the URL ({})", name, target.name));
  }
  if (!target.name.empty()) metadata.set("name", target.name);
  if (!target.ns.empty()) metadata.set("namespace", target.ns);
  return std::nullopt;
}

Refused begin_metadata(const KubeTarget& target, const Birth& birth, json::Value& object) {
  const KubeResource& resource = target.resource();
  json::Object& root = *object.as_object();
  const json::Object given = object_in(root, "metadata");
  if (!text_at(object, {"metadata", "resourceVersion"}).empty()) {
    return internal_error("resourceVersion should not be set on objects to be created");
  }
  std::string name(text_at(object, {"metadata", "name"}));
  std::string prefix(text_at(object, {"metadata", "generateName"}));
  constexpr std::size_t kLongestPrefix = 58;
  if (name.empty() && !prefix.empty()) {
    name = prefix.substr(0, kLongestPrefix) + generated_suffix(birth.number);
  }
  std::vector<Cause> causes;
  if (name.empty()) {
    causes.push_back({"metadata.name",
                      "Required value: name or generateName is required",
                      "FieldValueRequired"});
  } else {
    check_name(resource, name, causes);
  }
  check_labels(object, causes);
  check_finalizers(object, causes);
  if (!causes.empty()) return invalid(resource, name, std::move(causes));

  json::Object metadata{{"name", name}};
  if (!prefix.empty()) metadata.set("generateName", prefix);
  if (!target.ns.empty()) metadata.set("namespace", target.ns);
  metadata.set("uid", uid_of(birth.number));
  metadata.set("resourceVersion", "");
  if (resource.counts_generations) metadata.set("generation", 1);
  metadata.set("creationTimestamp", base::format_rfc3339(birth.now));
  for (const std::string_view key : {"labels", "annotations", "ownerReferences", "finalizers"}) {
    const json::Value* value = given.find(key);
    if (value != nullptr && !is_empty(*value)) metadata.set(key, *value);
  }
  json::Object whole{{"kind", resource.kind},
                     {"apiVersion", resource.api_version()},
                     {"metadata", std::move(metadata)}};
  for (const json::Member& member : root) {
    if (whole.find(member.key) == nullptr) whole.set(member.key, member.value);
  }
  root = std::move(whole);
  return std::nullopt;
}

Refused carry_metadata(const KubeTarget& target,
                       const json::Value& old,
                       json::Value& object,
                       Verb verb) {
  const KubeResource& resource = target.resource();
  const std::string_view uid = text_at(object, {"metadata", "uid"});
  const std::string_view old_uid = text_at(old, {"metadata", "uid"});
  if (verb == Verb::update && !uid.empty() && uid != old_uid) {
    return conflict(
        resource.qualified_plural(),
        target.name,
        fmt::format("StorageError: invalid object, Code: 4, Key: /registry/{}/{}, ResourceVersion: "
                    "0, AdditionalErrorMsg: Precondition failed: UID in precondition: {}, UID in "
                    "object meta: {}",
                    resource.plural,
                    target.key(),
                    uid,
                    old_uid));
  }
  if (Refused refused = check_version(target, old, object, verb)) return refused;
  std::vector<Cause> causes;
  carry_identity(old, object, causes);
  if (const auto fresh = new_finalizers(old, object); is_deleting(old) && !fresh.empty()) {
    causes.push_back({"metadata.finalizers",
                      fmt::format("Forbidden: no new finalizers can be added if the object is "
                                  "being deleted, found new finalizers []string{{{}}}",
                                  fmt::join(fresh, ", ")),
                      "FieldValueForbidden"});
  }
  check_labels(object, causes);
  check_finalizers(object, causes);
  if (!causes.empty()) return invalid(resource, target.name, std::move(causes));
  return std::nullopt;
}

}  // namespace models::kube
