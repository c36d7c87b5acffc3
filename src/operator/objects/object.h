// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/meta.h"
#include "kube/api/resource.h"
#include "operator/objects/labels.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Builders for Kubernetes objects as JSON. Pure. They produce what server-side apply expects: the
// complete desired object without fields that the server sets, quantities as the server prints them.
namespace slurmop::objects {

struct Meta {
  std::string ns;
  std::string name;
  Labels labels = {};
  std::map<std::string, std::string> annotations = {};
  kube::OwnerReference owner = {};
};

// apiVersion, kind and metadata of the resource.
json::Object object(const kube::Resource& resource, const Meta& meta);
// The value of `metadata`.
json::Object metadata(const Meta& meta);

json::Object string_map(const std::map<std::string, std::string>& values);
json::Array strings(const std::vector<std::string>& values);

json::Object config_map(const Meta& meta, const std::map<std::string, std::string>& data);
json::Object service_account(const Meta& meta);  // automountServiceAccountToken: false

struct ServicePort {
  std::string name;
  std::int64_t port = 0;
  std::int64_t target_port = 0;  // of the pods; 0: the same
  std::int64_t node_port = 0;    // 0: none
};
enum class ServiceKind { cluster_ip, headless };
// publishNotReadyAddresses is set: daemons must resolve before they are ready.
json::Object service(const Meta& meta,
                     ServiceKind kind,
                     const Labels& selector,
                     const std::vector<ServicePort>& ports);

}  // namespace slurmop::objects
