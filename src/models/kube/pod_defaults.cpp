// SPDX-License-Identifier: Apache-2.0
#include "base/rfc3339.h"
#include "models/kube/json.h"
#include "models/kube/pod_rules.h"

#include <string_view>
#include <utility>

namespace models::kube {
namespace {

void fill(json::Object& object, std::string_view key, json::Value value) {
  if (object.find(key) == nullptr) object.set(key, std::move(value));
}

std::string_view pull_policy(std::string_view image) {
  const std::size_t slash = image.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? image : image.substr(slash + 1);
  const bool is_latest = name.ends_with(":latest") || (!name.contains(':') && !name.contains('@'));
  return is_latest ? "Always" : "IfNotPresent";
}

// A limit without a request sets the request.
void fill_requests(json::Object& resources) {
  const json::Value* limits = resources.find("limits");
  if (limits == nullptr || limits->as_object() == nullptr || limits->as_object()->empty()) return;
  const json::Object limited = *limits->as_object();
  json::Object& requests = object_in(resources, "requests");
  for (const json::Member& limit : limited) fill(requests, limit.key, limit.value);
}

void port_defaults(json::Value& container) {
  json::Value* ports = at(container, {"ports"});
  if (ports == nullptr || ports->as_array() == nullptr) return;
  for (json::Value& port : *ports->as_array()) {
    if (port.as_object() != nullptr) fill(*port.as_object(), "protocol", "TCP");
  }
}

void container_defaults(json::Value& spec, std::string_view list) {
  json::Value* containers = at(spec, {list});
  if (containers == nullptr || containers->as_array() == nullptr) return;
  for (json::Value& container : *containers->as_array()) {
    json::Object* members = container.as_object();
    if (members == nullptr) continue;
    fill_requests(object_in(*members, "resources"));
    port_defaults(container);
    fill(*members, "terminationMessagePath", "/dev/termination-log");
    fill(*members, "terminationMessagePolicy", "File");
    fill(*members, "imagePullPolicy", pull_policy(text_at(container, {"image"})));
  }
}

std::string_view quality_of_service(const json::Value& pod) {
  bool any = false;
  bool all = true;
  for (const json::Value& container : array_at(pod, {"spec", "containers"})) {
    for (const std::string_view name : {"cpu", "memory"}) {
      const json::Value* limit = at(container, {"resources", "limits", name});
      const json::Value* request = at(container, {"resources", "requests", name});
      any = any || limit != nullptr || request != nullptr;
      all = all && limit != nullptr && request != nullptr && *limit == *request;
    }
  }
  if (!any) return "BestEffort";
  return all ? "Guaranteed" : "Burstable";
}

}  // namespace

void pod_defaults(json::Value& pod) {
  json::Object& spec = object_in(*pod.as_object(), "spec");
  json::Value* spec_value = at(pod, {"spec"});
  container_defaults(*spec_value, "containers");
  container_defaults(*spec_value, "initContainers");
  fill(spec, "restartPolicy", "Always");
  fill(spec, "terminationGracePeriodSeconds", 30);
  fill(spec, "dnsPolicy", "ClusterFirst");
  fill(spec, "securityContext", json::Object{});
  fill(spec, "schedulerName", "default-scheduler");
  fill(spec, "enableServiceLinks", true);
  if (const json::Value* account = spec.find("serviceAccountName")) {
    spec.set("serviceAccount", json::Value(*account));
  }
}

void pod_begin(json::Value& pod, base::WallTime now) {
  json::Object& root = *pod.as_object();
  json::Object& spec = object_in(root, "spec");
  fill(spec, "serviceAccountName", "default");
  fill(spec, "serviceAccount", json::Value(*spec.find("serviceAccountName")));
  fill(spec, "priority", 0);
  fill(spec, "preemptionPolicy", "PreemptLowerPriority");
  json::Object status{{"phase", "Pending"}};
  if (!array_at(pod, {"spec", "schedulingGates"}).empty()) {
    status.set("conditions",
               json::Array{json::Object{
                   {"type", "PodScheduled"},
                   {"status", "False"},
                   {"lastProbeTime", nullptr},
                   {"lastTransitionTime", base::format_rfc3339(now)},
                   {"reason", "SchedulingGated"},
                   {"message", "Scheduling is blocked due to non-empty scheduling gates"}}});
  }
  status.set("qosClass", quality_of_service(pod));
  root.set("status", std::move(status));
}

}  // namespace models::kube
