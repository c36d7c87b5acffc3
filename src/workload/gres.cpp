// SPDX-License-Identifier: Apache-2.0
#include "workload/gres.h"

#include "base/quote.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace workload {
namespace {

bool is_vendors_gpu(std::string_view resource) {
  return resource == "nvidia.com/gpu" || resource == "amd.com/gpu";
}

// A comma or an equals sign would end the name in Slurm's syntax.
bool is_plain(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  });
}

// Slurm refuses it (2119) with a text that does not name the field to change.
base::Error both_ways() {
  return base::Error(
      base::Kind::invalid,
      fmt::format(
          "the limits request GPUs both by vendor (nvidia.com/gpu, amd.com/gpu) and by "
          "class ({}...), which Slurm cannot count together; request all of them in one way, "
          "or remove those by class and set annotation {}gres",
          kDeviceClassPrefix,
          kJobAnnotationPrefix));
}

}  // namespace

base::Result<std::string> gres_of(const kube::ResourceList& limits) {
  base::Quantity gpus;
  std::string typed;
  for (const auto& [resource, quantity] : limits) {
    if (quantity.value() <= 0) continue;
    if (is_vendors_gpu(resource)) {
      TRY(gpus, gpus.plus(quantity));
    } else if (resource.starts_with(kDeviceClassPrefix) && resource != kCpuDevices) {
      const std::string_view device_class =
          std::string_view(resource).substr(kDeviceClassPrefix.size());
      if (!is_plain(device_class)) {
        return base::Error(base::Kind::invalid,
                           fmt::format("limit {}: {} is not a valid name of a device class",
                                       base::quoted(resource),
                                       base::quoted(device_class)));
      }
      typed +=
          fmt::format("{}gres/gpu:{}={}", typed.empty() ? "" : ",", device_class, quantity.value());
    }
  }
  if (gpus.is_zero()) return typed;
  if (!typed.empty()) return both_ways();
  return fmt::format("gres/gpu={}", gpus.value());
}

}  // namespace workload
