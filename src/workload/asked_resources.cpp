// SPDX-License-Identifier: Apache-2.0
#include "workload/asked_resources.h"

#include "base/quote.h"
#include "workload/gres.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

namespace workload {
namespace {

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

std::vector<AskedResource> asked_resources(const kube::Pod& pod) {
  std::vector<AskedResource> all;
  if (pod.spec.resources) append(*pod.spec.resources, "the pod as a whole", "spec.resources", all);
  append(pod.spec.containers, "container", "containers", all);
  append(pod.spec.initContainers, "init container", "initContainers", all);
  return all;
}

std::optional<std::string_view> device_class(std::string_view resource) {
  if (!resource.starts_with(kDeviceClassPrefix)) return std::nullopt;
  return resource.substr(kDeviceClassPrefix.size());
}

bool is_cpu_device(const AskedResource& asked) {
  return asked.resource == kCpuDevices;
}

bool is_other_device(const AskedResource& asked) {
  return device_class(asked.resource) && !is_cpu_device(asked);
}

}  // namespace workload
