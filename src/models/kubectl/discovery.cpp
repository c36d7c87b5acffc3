// SPDX-License-Identifier: Apache-2.0
#include "models/kubectl/discovery.h"

#include "base/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace models::kubectl {
namespace {

struct ShortName {
  std::string_view plural;
  std::string_view name;
};
constexpr auto kShortNames = std::to_array<ShortName>({{"pods", "po"},
                                                       {"nodes", "no"},
                                                       {"namespaces", "ns"},
                                                       {"events", "ev"},
                                                       {"configmaps", "cm"},
                                                       {"services", "svc"},
                                                       {"serviceaccounts", "sa"},
                                                       {"deployments", "deploy"},
                                                       {"replicasets", "rs"},
                                                       {"statefulsets", "sts"},
                                                       {"daemonsets", "ds"},
                                                       {"priorityclasses", "pc"}});
constexpr auto kInAll = std::to_array<std::string_view>(
    {"pods", "services", "jobs", "deployments", "replicasets", "statefulsets", "daemonsets"});

json::Value version() {
  return json::Object{{"major", "1"},
                      {"minor", "36"},
                      {"gitVersion", "v1.36.0-sandbox"},
                      {"gitCommit", ""},
                      {"gitTreeState", ""},
                      {"buildDate", "1970-01-01T00:00:00Z"},
                      {"goVersion", ""},
                      {"compiler", ""},
                      {"platform", "sandbox"}};
}

json::Object entry(const kube::KubeResource& resource, std::string name, json::Array verbs) {
  return {{"name", std::move(name)},
          {"singularName", base::ascii_lower(resource.kind)},
          {"namespaced", resource.namespaced},
          {"kind", resource.kind},
          {"verbs", std::move(verbs)}};
}

json::Value resources_of(std::string_view api, const std::vector<kube::ServedResource>& served) {
  json::Array resources;
  for (const auto& [resource, storage] : served) {
    if (resource.api_version() != api) continue;
    json::Object whole =
        entry(resource,
              resource.plural,
              {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"});
    const auto known = std::ranges::find(kShortNames, resource.plural, &ShortName::plural);
    if (known != kShortNames.end()) whole.set("shortNames", json::Array{known->name});
    const bool in_all = std::ranges::find(kInAll, resource.plural) != kInAll.end();
    if (in_all) whole.set("categories", json::Array{"all"});
    resources.emplace_back(std::move(whole));
    if (resource.has_status) {
      resources.emplace_back(
          entry(resource, resource.plural + "/status", {"get", "patch", "update"}));
    }
    if (resource.plural == "pods") {
      resources.emplace_back(entry(resource, "pods/binding", {"create"}));
      resources.emplace_back(entry(resource, "pods/eviction", {"create"}).set("kind", "Eviction"));
    }
  }
  return json::Object{{"kind", "APIResourceList"},
                      {"apiVersion", "v1"},
                      {"groupVersion", api},
                      {"resources", std::move(resources)}};
}

json::Object group(const kube::KubeResource& resource) {
  const json::Object group_version{{"groupVersion", resource.api_version()},
                                   {"version", resource.version}};
  return {{"name", resource.group},
          {"versions", json::Array{group_version}},
          {"preferredVersion", group_version}};
}

json::Value groups(const std::vector<kube::ServedResource>& served) {
  json::Array all;
  for (const auto& [resource, storage] : served) {
    const bool is_known = std::ranges::any_of(all, [&](const json::Value& one) {
      return *one.find("name") == json::Value(resource.group);
    });
    if (!resource.group.empty() && !is_known) all.emplace_back(group(resource));
  }
  return json::Object{{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(all)}};
}

// "api/v1", "apis/batch/v1": the name of a group and version in OpenAPI paths.
std::string open_api_name(const kube::KubeResource& resource) {
  return resource.api_path().substr(1);
}

json::Value open_api_index(const std::vector<kube::ServedResource>& served) {
  json::Object paths;
  for (const auto& [resource, storage] : served) {
    const std::string name = open_api_name(resource);
    paths.set(name, json::Object{{"serverRelativeURL", "/openapi/v3/" + name}});
  }
  return json::Object{{"paths", std::move(paths)}};
}

// The only OpenAPI content that kubectl uses: that a PATCH of this kind supports fieldValidation,
// so that kubectl does not validate itself.
json::Value open_api(std::string_view name, const std::vector<kube::ServedResource>& served) {
  json::Object paths;
  for (const auto& [resource, storage] : served) {
    if (open_api_name(resource) != name) continue;
    const json::Object kind{
        {"group", resource.group}, {"version", resource.version}, {"kind", resource.kind}};
    const json::Array parameters{
        json::Object{{"name", "fieldValidation"},
                     {"in", "query"},
                     {"schema", json::Object{{"type", "string"}}}},
        json::Object{
            {"name", "dryRun"}, {"in", "query"}, {"schema", json::Object{{"type", "string"}}}}};
    paths.set(fmt::format("{}/{}{}/{{name}}",
                          resource.api_path(),
                          resource.namespaced ? "namespaces/{namespace}/" : "",
                          resource.plural),
              json::Object{{"patch",
                            json::Object{{"parameters", parameters},
                                         {"responses", json::Object{}},
                                         {"x-kubernetes-action", "patch"},
                                         {"x-kubernetes-group-version-kind", kind}}}});
  }
  return json::Object{
      {"openapi", "3.0.0"},
      {"info", json::Object{{"title", "Kubernetes"}, {"version", "v1.36.0-sandbox"}}},
      {"paths", std::move(paths)},
      {"components", json::Object{{"schemas", json::Object{}}}}};
}

}  // namespace

std::optional<json::Value> discovered(std::string_view path,
                                      const std::vector<kube::ServedResource>& served) {
  constexpr std::string_view kOpenApi = "/openapi/v3";
  if (path == "/version") return version();
  if (path == "/api") {
    return json::Object{{"kind", "APIVersions"}, {"versions", json::Array{"v1"}}};
  }
  if (path == "/apis") return groups(served);
  if (path == kOpenApi) return open_api_index(served);
  for (const auto& [resource, storage] : served) {
    if (path == resource.api_path()) return resources_of(resource.api_version(), served);
    if (!resource.group.empty() && path == "/apis/" + resource.group) {
      json::Object one = group(resource);
      return one.set("kind", "APIGroup").set("apiVersion", "v1");
    }
    const std::string name = open_api_name(resource);
    if (path == fmt::format("{}/{}", kOpenApi, name)) return open_api(name, served);
  }
  return std::nullopt;
}

}  // namespace models::kubectl
