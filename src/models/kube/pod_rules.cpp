// SPDX-License-Identifier: Apache-2.0
#include "models/kube/pod_rules.h"

#include "base/rfc3339.h"
#include "models/kube/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace models::kube {
namespace {

constexpr std::string_view kMayChange =
    "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
    "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set "
    "to 1 if it was previously negative)";

void check_containers(const json::Value& pod, std::vector<Cause>& causes) {
  const json::Array& containers = array_at(pod, {"spec", "containers"});
  if (containers.empty()) {
    causes.push_back({"spec.containers", "Required value", "FieldValueRequired"});
  }
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const std::string_view name = text_at(containers[i], {"name"});
    const std::string field = fmt::format("spec.containers[{}]", i);
    if (name.empty()) {
      causes.push_back({field + ".name", "Required value", "FieldValueRequired"});
    } else if (!names.insert(name).second) {
      causes.push_back(
          {field + ".name", fmt::format("Duplicate value: \"{}\"", name), "FieldValueDuplicate"});
    }
    if (text_at(containers[i], {"image"}).empty()) {
      causes.push_back({field + ".image", "Required value", "FieldValueRequired"});
    }
  }
}

// A toleration without the members that may change.
json::Object fixed_part(const json::Value& toleration) {
  json::Object fixed;
  if (toleration.as_object() != nullptr) fixed = *toleration.as_object();
  fixed.erase("tolerationSeconds");
  return fixed;
}

bool keeps_tolerations(const json::Value& old, const json::Value& pod) {
  const json::Array& now = array_at(pod, {"spec", "tolerations"});
  return std::ranges::all_of(array_at(old, {"spec", "tolerations"}), [&](const json::Value& one) {
    return std::ranges::any_of(
        now, [&](const json::Value& other) { return fixed_part(one) == fixed_part(other); });
  });
}

void check_gates(const json::Value& old, const json::Value& pod, std::vector<Cause>& causes) {
  const json::Array& before = array_at(old, {"spec", "schedulingGates"});
  const json::Array& now = array_at(pod, {"spec", "schedulingGates"});
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (std::ranges::find(before, now[i]) != before.end()) continue;
    causes.push_back(
        {fmt::format("spec.schedulingGates[{}].name", i),
         fmt::format("Forbidden: only deletion is allowed, but found new scheduling gate '{}'",
                     text_at(now[i], {"name"})),
         "FieldValueForbidden"});
  }
}

void check_deadline(const json::Value& old, const json::Value& pod, std::vector<Cause>& causes) {
  const json::Value* before = at(old, {"spec", "activeDeadlineSeconds"});
  const json::Value* now = at(pod, {"spec", "activeDeadlineSeconds"});
  if (before == nullptr || before->as_int() == nullptr) return;
  const std::string field = "spec.activeDeadlineSeconds";
  if (now == nullptr || now->as_int() == nullptr) {
    causes.push_back(
        {field, "Invalid value: null: must not update from a positive integer to nil value"});
  } else if (*now->as_int() > *before->as_int()) {
    causes.push_back({field,
                      fmt::format("Invalid value: {}: must be less than or equal to previous value",
                                  *now->as_int())});
  }
}

// Copies the images of one pod to the other if both have the same containers.
void take_images(const json::Value& from, json::Value& into, std::string_view list) {
  const json::Array& images = array_at(from, {"spec", list});
  json::Value* containers = at(into, {"spec", list});
  if (containers == nullptr || containers->as_array() == nullptr) return;
  json::Array& elements = *containers->as_array();
  if (elements.size() != images.size()) return;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const json::Value* image = images[i].find("image");
    if (image != nullptr && elements[i].as_object() != nullptr) {
      elements[i].as_object()->set("image", *image);
    }
  }
}

void take(const json::Value& from, json::Value& into, std::string_view key) {
  json::Object& spec = *at(into, {"spec"})->as_object();
  const json::Value* value = at(from, {"spec", key});
  if (value == nullptr) {
    spec.erase(key);
  } else {
    spec.set(key, *value);
  }
}

// Members that may change are made equal; a remaining difference is not allowed.
bool differs_elsewhere(const json::Value& old, const json::Value& pod) {
  json::Value munged = pod;
  if (at(munged, {"spec"}) == nullptr || at(munged, {"spec"})->as_object() == nullptr) return true;
  take_images(old, munged, "containers");
  take_images(old, munged, "initContainers");
  for (const std::string_view key : {"activeDeadlineSeconds", "tolerations", "schedulingGates"}) {
    take(old, munged, key);
  }
  const bool is_gated = !array_at(old, {"spec", "schedulingGates"}).empty();
  if (is_gated) {
    take(old, munged, "nodeSelector");
    take(old, munged, "affinity");
  }
  const json::Value* grace = at(old, {"spec", "terminationGracePeriodSeconds"});
  const bool was_negative = grace != nullptr && grace->as_int() != nullptr && *grace->as_int() < 0;
  const json::Value* now = at(pod, {"spec", "terminationGracePeriodSeconds"});
  if (was_negative && now != nullptr && *now == json::Value(1)) {
    take(old, munged, "terminationGracePeriodSeconds");
  }
  return !(*at(munged, {"spec"}) == *at(old, {"spec"}));
}

void set_scheduled(json::Value& pod, base::WallTime now) {
  json::Object& status = object_in(*pod.as_object(), "status");
  json::Array conditions = array_at(pod, {"status", "conditions"});
  json::Object scheduled{{"type", "PodScheduled"},
                         {"status", "True"},
                         {"lastProbeTime", nullptr},
                         {"lastTransitionTime", base::format_rfc3339(now)}};
  const auto found = std::ranges::find_if(conditions, [](const json::Value& condition) {
    return text_at(condition, {"type"}) == "PodScheduled";
  });
  if (found == conditions.end()) {
    conditions.emplace_back(std::move(scheduled));
  } else if (text_at(*found, {"status"}) != "True") {
    *found = std::move(scheduled);
  }
  status.set("conditions", std::move(conditions));
}

Refused check_binding(const KubeTarget& target,
                      const json::Value& binding,
                      const json::Value& pod) {
  const auto precondition = [&](std::string_view what, std::string_view key) -> Refused {
    const std::string_view wanted = text_at(binding, {"metadata", key});
    const std::string_view held = text_at(pod, {"metadata", key});
    if (wanted.empty() || wanted == held) return std::nullopt;
    return conflict(
        "pods",
        target.name,
        fmt::format("StorageError: invalid object, Code: 4, Key: /registry/pods/{}, "
                    "ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: {} in "
                    "precondition: {}, {} in object meta: {}",
                    target.key(),
                    what,
                    wanted,
                    what,
                    held));
  };
  if (Refused refused = precondition("UID", "uid")) return refused;
  if (Refused refused = precondition("ResourceVersion", "resourceVersion")) return refused;
  if (at(pod, {"metadata", "deletionTimestamp"}) != nullptr) {
    return conflict(
        "pods/binding",
        target.name,
        fmt::format("pod {} is being deleted, cannot be assigned to a host", target.name));
  }
  const std::string_view node = text_at(pod, {"spec", "nodeName"});
  if (!node.empty()) {
    return conflict("pods/binding",
                    target.name,
                    fmt::format("pod {} is already assigned to node \"{}\"", target.name, node));
  }
  if (!array_at(pod, {"spec", "schedulingGates"}).empty()) {
    return conflict("pods/binding",
                    target.name,
                    fmt::format("pod {} has non-empty .spec.schedulingGates", target.name));
  }
  return std::nullopt;
}

}  // namespace

Refused check_new_pod(const KubeResource& resource, const json::Value& pod) {
  std::vector<Cause> causes;
  check_containers(pod, causes);
  const std::string_view policy = text_at(pod, {"spec", "restartPolicy"});
  if (policy != "Always" && policy != "OnFailure" && policy != "Never") {
    causes.push_back({"spec.restartPolicy",
                      fmt::format("Unsupported value: \"{}\": supported values: \"Always\", "
                                  "\"OnFailure\", \"Never\"",
                                  policy),
                      "FieldValueNotSupported"});
  }
  if (causes.empty()) return std::nullopt;
  return invalid(resource, text_at(pod, {"metadata", "name"}), std::move(causes));
}

Refused check_pod_update(const KubeResource& resource,
                         const json::Value& old,
                         const json::Value& pod) {
  const std::string_view name = text_at(old, {"metadata", "name"});
  std::vector<Cause> causes;
  check_containers(pod, causes);
  if (!keeps_tolerations(old, pod)) {
    causes.push_back(
        {"spec.tolerations",
         "Forbidden: existing toleration can not be modified except its tolerationSeconds",
         "FieldValueForbidden"});
  }
  check_gates(old, pod, causes);
  check_deadline(old, pod, causes);
  if (causes.empty() && differs_elsewhere(old, pod)) {
    causes.push_back({"spec", std::string(kMayChange), "FieldValueForbidden"});
  }
  if (causes.empty()) return std::nullopt;
  return invalid(resource, name, std::move(causes));
}

Refused bind_pod(const KubeTarget& target,
                 const json::Value& binding,
                 base::WallTime now,
                 json::Value& pod) {
  const std::string_view node = text_at(binding, {"target", "name"});
  if (node.empty()) return internal_error("target.name: Required value");
  if (Refused refused = check_binding(target, binding, pod)) return refused;
  object_in(*pod.as_object(), "spec").set("nodeName", node);
  json::Object& metadata = *at(pod, {"metadata"})->as_object();
  for (const std::string_view key : {"annotations", "labels"}) {
    for (const json::Member& member : object_at(binding, {"metadata", key})) {
      object_in(metadata, key).set(member.key, member.value);
    }
  }
  set_scheduled(pod, now);
  return std::nullopt;
}

std::int64_t pod_grace(const json::Value& pod, std::optional<std::int64_t> wanted) {
  if (text_at(pod, {"spec", "nodeName"}).empty()) return 0;
  const std::string_view phase = text_at(pod, {"status", "phase"});
  if (phase == "Succeeded" || phase == "Failed") return 0;
  const json::Value* own = at(pod, {"spec", "terminationGracePeriodSeconds"});
  const std::int64_t usual = own != nullptr && own->as_int() != nullptr ? *own->as_int() : 30;
  const std::int64_t grace = wanted.value_or(usual);
  return grace < 0 ? 1 : grace;
}

}  // namespace models::kube
