// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/members.h"
#include "operator/objects/object.h"
#include "operator/objects/passed_on.h"
#include "operator/objects/pod.h"

#include <utility>

namespace slurmop::objects {
namespace {

constexpr int kProbeTimeoutSeconds = 3;

json::Object amounts(const kube::ResourceList& list, CpuLimit cpu) {
  json::Object all;
  for (const auto& [name, amount] : list) {
    if (name != "cpu" || cpu == CpuLimit::as_requested) all.set(name, amount.to_string());
  }
  return all;
}

json::Object probe(std::string_view check, json::Object how, std::int64_t period_seconds) {
  json::Object whole;
  whole.set(check, std::move(how));
  whole.set("periodSeconds", period_seconds);
  whole.set("timeoutSeconds", kProbeTimeoutSeconds);
  return whole;
}

json::Array ports_of(const Container& container) {
  json::Array all;
  for (const auto& [name, port] : container.ports) {
    all.push_back(json::Object{{"name", name}, {"containerPort", port}});
  }
  return all;
}

json::Array env_of(const Container& container) {
  json::Array all = passed_on(container.env);
  for (json::Value& entry : all) {
    if (entry.as_object() == nullptr) continue;
    entry.as_object()->erase_if([](const json::Member& member) {
      return member.key == "value" && member.value == json::Value("");  // stored as absent
    });
  }
  return last_of_each(std::move(all), "name");
}

json::Array mounts_of(const Container& container) {
  json::Array all;
  for (const Mount& entry : container.mounts) all.push_back(mount(entry));
  return last_of_each(std::move(all), "mountPath");
}

void set_probe(json::Object& object, std::string_view key, const json::Value& given) {
  if (!given.is_null()) object.set(key, passed_on(given));
}

}  // namespace

// The server stores an empty value as an absent one. Kubelet reads $$ as one $.
json::Object env(std::string name, std::string_view value) {
  std::string escaped;
  for (const char c : value) escaped.append(c == '$' ? 2 : 1, c);
  json::Object entry{{"name", std::move(name)}};
  set_unless_empty(entry, "value", escaped);
  return entry;
}

json::Object env_from_secret(std::string name, std::string secret, std::string key) {
  json::Object reference{{"name", std::move(secret)}, {"key", std::move(key)}};
  return {{"name", std::move(name)},
          {"valueFrom", json::Object{{"secretKeyRef", std::move(reference)}}}};
}

json::Object env_from_field(std::string name, std::string field_path) {
  json::Object reference{{"fieldPath", std::move(field_path)}};
  return {{"name", std::move(name)},
          {"valueFrom", json::Object{{"fieldRef", std::move(reference)}}}};
}

json::Object resources(const kube::ResourceList& requests, CpuLimit cpu) {
  json::Object all;
  set_unless_empty(all, "requests", amounts(requests, CpuLimit::as_requested));
  set_unless_empty(all, "limits", amounts(requests, cpu));
  return all;
}

json::Object unprivileged(const std::vector<std::string>& added_capabilities) {
  json::Object capabilities{{"drop", json::Array{"ALL"}}};
  set_unless_empty(capabilities, "add", strings(added_capabilities));
  json::Object all;
  if (added_capabilities.empty()) all.set("allowPrivilegeEscalation", false);
  all.set("capabilities", std::move(capabilities));
  all.set("seccompProfile", json::Object{{"type", "RuntimeDefault"}});
  return all;
}

json::Object http_probe(std::string path, std::int64_t port, std::int64_t period_seconds) {
  return probe("httpGet", {{"path", std::move(path)}, {"port", port}}, period_seconds);
}

json::Object tcp_probe(std::int64_t port, std::int64_t period_seconds) {
  return probe("tcpSocket", {{"port", port}}, period_seconds);
}

json::Object exec_probe(std::vector<std::string> command, std::int64_t period_seconds) {
  return probe("exec", {{"command", strings(command)}}, period_seconds);
}

json::Object container(const Container& container) {
  json::Object all{{"name", container.name}, {"image", container.image}};
  set_unless_empty(all, "imagePullPolicy", container.pull_policy);
  if (container.sidecar) all.set("restartPolicy", "Always");
  set_unless_empty(all, "command", strings(container.command));
  set_unless_empty(all, "args", strings(container.args));
  set_unless_empty(all, "env", env_of(container));
  set_unless_empty(all, "ports", ports_of(container));
  set_unless_empty(all, "resources", container.resources);
  set_unless_empty(all, "securityContext", container.security);
  set_probe(all, "startupProbe", container.startup);
  set_probe(all, "readinessProbe", container.readiness);
  set_probe(all, "livenessProbe", container.liveness);
  set_unless_empty(all, "volumeMounts", mounts_of(container));
  return all;
}

}  // namespace slurmop::objects
