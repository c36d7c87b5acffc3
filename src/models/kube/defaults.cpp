// SPDX-License-Identifier: Apache-2.0
#include "models/kube/defaults.h"

#include "models/kube/json.h"
#include "models/kube/pod_rules.h"

#include <array>
#include <string_view>
#include <utility>

namespace models::kube {
namespace {

void drop_nulls(json::Value& value) {
  if (json::Array* array = value.as_array()) {
    for (json::Value& element : *array) drop_nulls(element);
  } else if (json::Object* object = value.as_object()) {
    object->erase_if([](const json::Member& member) { return member.value.is_null(); });
    for (json::Member& member : *object) drop_nulls(member.value);
  }
}

void drop_empty(json::Value& object, std::string_view part) {
  json::Value* there = at(object, {part});
  if (there == nullptr || there->as_object() == nullptr) return;
  there->as_object()->erase_if([](const json::Member& member) {
    return member.key != "securityContext" && is_empty(member.value);
  });
}

void fill(json::Object& object, std::string_view key, json::Value value) {
  if (object.find(key) == nullptr) object.set(key, std::move(value));
}

void fill_condition_times(json::Value& object, std::string_view first) {
  json::Value* conditions = at(object, {"status", "conditions"});
  if (conditions == nullptr || conditions->as_array() == nullptr) return;
  for (json::Value& condition : *conditions->as_array()) {
    json::Object* members = condition.as_object();
    if (members == nullptr) continue;
    fill(*members, first, nullptr);
    fill(*members, "lastTransitionTime", nullptr);
  }
}

void normalize_node(json::Value& node) {
  json::Object& root = *node.as_object();
  json::Object& spec = object_in(root, "spec");
  const json::Value* unschedulable = spec.find("unschedulable");
  if (unschedulable != nullptr && *unschedulable == json::Value(false)) spec.erase("unschedulable");
  json::Object& status = object_in(root, "status");
  if (const json::Value* capacity = status.find("capacity")) {
    fill(status, "allocatable", *capacity);
  }
  fill(status, "daemonEndpoints", json::Object{{"kubeletEndpoint", json::Object{{"Port", 0}}}});
  json::Object& info = object_in(status, "nodeInfo");
  for (const std::string_view key : {"machineID",
                                     "systemUUID",
                                     "bootID",
                                     "kernelVersion",
                                     "osImage",
                                     "containerRuntimeVersion",
                                     "kubeletVersion",
                                     "kubeProxyVersion",
                                     "operatingSystem",
                                     "architecture"}) {
    fill(info, key, "");
  }
  fill_condition_times(node, "lastHeartbeatTime");
}

void normalize_namespace(json::Value& space) {
  json::Object& root = *space.as_object();
  const std::string name(text_at(space, {"metadata", "name"}));
  object_in(object_in(root, "metadata"), "labels").set("kubernetes.io/metadata.name", name);
  object_in(root, "spec");
  fill(object_in(root, "status"), "phase", "Active");
}

void normalize_event(json::Value& event) {
  json::Object& root = *event.as_object();
  fill(root, "source", json::Object{});
  fill(root, "firstTimestamp", nullptr);
  fill(root, "lastTimestamp", nullptr);
  fill(root, "eventTime", nullptr);
  fill(root, "reportingComponent", "");
  fill(root, "reportingInstance", "");
}

// Names of the same field in core/v1 and in events.k8s.io/v1.
constexpr auto kEventNames = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
    {"reportingComponent", "reportingController"},
});

}  // namespace

json::Value to_new_event(const json::Value& event) {
  json::Object converted;
  for (const json::Member& member : *event.as_object()) {
    std::string_view key = member.key;
    for (const auto& [core, fresh] : kEventNames) {
      if (key == core) key = fresh;
    }
    const bool is_reporter = key == "reportingController" || key == "reportingInstance";
    if (is_reporter && is_empty(member.value)) continue;
    converted.set(key, member.value);
  }
  converted.set("apiVersion", "events.k8s.io/v1");
  return converted;
}

json::Value to_core_event(const json::Value& event) {
  if (event.as_object() == nullptr) return event;
  json::Object converted;
  for (const json::Member& member : *event.as_object()) {
    std::string_view key = member.key;
    for (const auto& [core, fresh] : kEventNames) {
      if (key == fresh) key = core;
    }
    converted.set(key, member.value);
  }
  if (converted.find("apiVersion") != nullptr) converted.set("apiVersion", "v1");
  return converted;
}

void normalize(const KubeResource& resource, json::Value& object) {
  drop_nulls(object);
  drop_empty(object, "metadata");
  if (resource.plural == "pods") {
    drop_empty(object, "spec");
    drop_empty(object, "status");
    pod_defaults(object);
    fill_condition_times(object, "lastProbeTime");
  } else if (resource.group == "apps") {
    json::Value* pod = at(object, {"spec", "template"});
    if (pod != nullptr && at(*pod, {"spec", "containers"}) != nullptr) pod_defaults(*pod);
  } else if (resource.plural == "configmaps" || resource.plural == "secrets") {
    for (const std::string_view key : {"data", "binaryData"}) {
      const json::Value* values = object.find(key);
      if (values != nullptr && is_empty(*values)) object.as_object()->erase(key);
    }
  } else if (resource.plural == "nodes") {
    drop_empty(object, "spec");
    drop_empty(object, "status");
    normalize_node(object);
  } else if (resource.plural == "namespaces") {
    normalize_namespace(object);
  } else if (resource.plural == "events") {
    normalize_event(object);
  }
}

}  // namespace models::kube
