// SPDX-License-Identifier: Apache-2.0
#include "kube/client/write_options.h"

#include "net/transport/url.h"

#include <string_view>
#include <utility>

namespace kube::inline client {
namespace {

void add_parameter(std::string& query, std::string_view name, std::string_view value) {
  query += query.empty() ? '?' : '&';
  query.append(name).append("=").append(net::encode_query_value(value));
}

std::string_view policy_name(Propagation propagation) {
  switch (propagation) {
    case Propagation::server_default: return "";
    case Propagation::background: return "Background";
    case Propagation::foreground: return "Foreground";
    case Propagation::orphan: return "Orphan";
  }
  return "";
}

}  // namespace

std::string write_query(const WriteOptions& options) {
  std::string query;
  if (!options.field_manager.empty()) add_parameter(query, "fieldManager", options.field_manager);
  if (options.dry_run == DryRun::yes) add_parameter(query, "dryRun", "All");
  return query;
}

std::string apply_query(const ApplyOptions& options) {
  std::string query = write_query({options.field_manager, options.dry_run});
  if (options.conflicts == Conflicts::force) add_parameter(query, "force", "true");
  return query;
}

json::Object delete_body(const DeleteOptions& options) {
  json::Object body{{"apiVersion", "v1"}, {"kind", "DeleteOptions"}};
  json::Object preconditions;
  if (!options.uid.value().empty()) preconditions.set("uid", options.uid.value());
  if (!options.resource_version.empty())
    preconditions.set("resourceVersion", options.resource_version);
  if (!preconditions.empty()) body.set("preconditions", std::move(preconditions));
  if (const auto policy = policy_name(options.propagation); !policy.empty())
    body.set("propagationPolicy", policy);
  if (options.grace_period) body.set("gracePeriodSeconds", options.grace_period->count());
  if (options.dry_run == DryRun::yes) body.set("dryRun", json::Array{"All"});
  return body;
}

json::Object eviction_body(const ObjectKey& pod, const DeleteOptions& options) {
  return {{"apiVersion", "policy/v1"},
          {"kind", "Eviction"},
          {"metadata", json::Object{{"name", pod.name}, {"namespace", pod.ns}}},
          {"deleteOptions", delete_body(options)}};
}

json::Object binding_body(const ObjectKey& pod, const Binding& binding) {
  json::Object metadata{{"name", pod.name}, {"namespace", pod.ns}};
  if (!binding.uid.value().empty()) metadata.set("uid", binding.uid.value());
  if (!binding.resource_version.empty()) metadata.set("resourceVersion", binding.resource_version);
  json::Object annotations;
  for (const auto& [name, value] : binding.annotations) annotations.set(name, value);
  if (!annotations.empty()) metadata.set("annotations", std::move(annotations));
  json::Object target{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", binding.node.value()}};
  return {{"apiVersion", "v1"},
          {"kind", "Binding"},
          {"metadata", std::move(metadata)},
          {"target", std::move(target)}};
}

}  // namespace kube::inline client
