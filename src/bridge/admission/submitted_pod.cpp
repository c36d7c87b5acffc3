// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/submitted_pod.h"

#include "base/quote.h"

#include <fmt/format.h>

namespace bridge::admission {
namespace {

bool has_elements(const json::Node& spec, std::string_view key) {
  bool any = false;
  if (const auto list = spec.find(key))
    list->each_element([&](json::Node) { return !(any = true); });
  return any;
}

void append(const kube::ResourceRequirements& resources,
            const std::string& container,
            const std::string& field,
            std::vector<AskedResource>& all) {
  for (const auto& [name, amount] : resources.requests)
    all.push_back({container, field + ".requests", name});
  for (const auto& [name, amount] : resources.limits)
    all.push_back({container, field + ".limits", name});
}

void append(const std::vector<kube::Container>& containers,
            std::string_view what,
            std::string_view field,
            std::vector<AskedResource>& all) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    append(containers[i].resources,
           fmt::format("{} {}", what, base::quoted(containers[i].name)),
           fmt::format("spec.{}[{}].resources", field, i),
           all);
  }
}

}  // namespace

base::Result<SubmittedPod> read_pod(const json::Node& object) {
  SubmittedPod read;
  TRY(read.pod, kube::decode_object<kube::Pod>(object));
  if (const auto spec = object.find("spec")) {
    read.resource_claims = has_elements(*spec, "resourceClaims");
    read.topology_spread = has_elements(*spec, "topologySpreadConstraints");
  }
  return read;
}

std::string_view scheduler_of(const json::Node& object) {
  const auto spec = object.find("spec");
  const auto name = spec ? spec->find("schedulerName") : std::nullopt;
  return name ? name->as_string().value_or("") : "";
}

std::vector<AskedResource> asked_resources(const kube::Pod& pod) {
  std::vector<AskedResource> all;
  if (pod.spec.resources) append(*pod.spec.resources, "the pod as a whole", "spec.resources", all);
  append(pod.spec.containers, "container", "containers", all);
  append(pod.spec.initContainers, "init container", "initContainers", all);
  return all;
}

}  // namespace bridge::admission
