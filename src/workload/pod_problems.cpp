// SPDX-License-Identifier: Apache-2.0
#include "workload/pod_problems.h"

#include "base/quote.h"
#include "workload/asked_resources.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>

namespace workload {
namespace {

struct Pair {
  std::string_view annotation;
  bool (*is_device_for_the_same)(const AskedResource&);
};
constexpr Pair kForTheSame[] = {{"cpu-per-task", is_cpu_device}, {"gres", is_other_device}};

}  // namespace

std::optional<std::string> resource_claims_problem(const kube::Pod& pod) {
  if (pod.spec.resourceClaims.empty()) return std::nullopt;
  return fmt::format(
      "spec.resourceClaims: Slurm does not allocate existing claims; remove them and request "
      "the devices with annotation {}gres, such as \"gres/gpu:1\"",
      kJobAnnotationPrefix);
}

std::optional<std::string> asked_twice_problem(const kube::Pod& pod,
                                               const Annotations& annotations) {
  for (const Pair& pair : kForTheSame) {
    if (!annotations.contains(kJobAnnotationPrefix + std::string(pair.annotation))) continue;
    const auto all = asked_resources(pod);
    const auto device = std::ranges::find_if(all, pair.is_device_for_the_same);
    if (device == all.end()) continue;
    return fmt::format("annotation {}{}: {} requests the same with {} in {}; keep one of the two",
                       kJobAnnotationPrefix,
                       pair.annotation,
                       device->container,
                       base::quoted(device->resource, 128),
                       device->field);
  }
  return std::nullopt;
}

}  // namespace workload
