// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/object.h"

#include "kube/api/owner_reference.h"
#include "operator/objects/members.h"

#include <utility>

namespace slurmop::objects {
namespace {

json::Object port_of(const ServicePort& port) {
  json::Object entry{{"name", port.name}, {"port", port.port}};
  if (port.target_port != 0 && port.target_port != port.port) {
    entry.set("targetPort", port.target_port);
  }
  if (port.node_port != 0) entry.set("nodePort", port.node_port);
  return entry;
}

}  // namespace

json::Object object(const kube::Resource& resource, const Meta& meta) {
  return {{"apiVersion", resource.api_version()},
          {"kind", resource.kind},
          {"metadata", metadata(meta)}};
}

json::Object metadata(const Meta& meta) {
  json::Object all{{"name", meta.name}, {"namespace", meta.ns}};
  set_unless_empty(all, "labels", string_map(meta.labels));
  set_unless_empty(all, "annotations", string_map(meta.annotations));
  if (!meta.owner.uid.value().empty()) {
    all.set("ownerReferences", json::Array{kube::encode_reference(meta.owner)});
  }
  return all;
}

json::Object string_map(const std::map<std::string, std::string>& values) {
  json::Object members;
  for (const auto& [key, value] : values) members.set(key, value);
  return members;
}

json::Array strings(const std::vector<std::string>& values) {
  return json::Array(values.begin(), values.end());
}

json::Object config_map(const Meta& meta, const std::map<std::string, std::string>& data) {
  json::Object map = object(kube::kConfigMaps, meta);
  set_unless_empty(map, "data", string_map(data));
  return map;
}

json::Object service_account(const Meta& meta) {
  json::Object account = object(kube::kServiceAccounts, meta);
  account.set("automountServiceAccountToken", false);
  return account;
}

json::Object service(const Meta& meta,
                     ServiceKind kind,
                     const Labels& selector,
                     const std::vector<ServicePort>& ports) {
  json::Array entries;
  for (const ServicePort& port : ports) entries.push_back(port_of(port));
  json::Object spec;
  if (kind == ServiceKind::headless) spec.set("clusterIP", "None");
  spec.set("publishNotReadyAddresses", true);
  spec.set("selector", string_map(selector));
  spec.set("ports", std::move(entries));
  json::Object whole = object(kube::kServices, meta);
  whole.set("spec", std::move(spec));
  return whole;
}

}  // namespace slurmop::objects
