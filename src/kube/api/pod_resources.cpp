// SPDX-License-Identifier: Apache-2.0
#include "kube/api/pod_resources.h"

#include <algorithm>

namespace kube::inline api {
namespace {

using base::Result;
using Side = ResourceList ResourceRequirements::*;

Result<void> add(ResourceList& sum, const ResourceList& more) {
  for (const auto& [name, quantity] : more) {
    auto total = sum[name].plus(quantity);
    if (!total.ok()) return std::move(total).error().in(name);
    sum[name] = *total;
  }
  return {};
}

void raise(ResourceList& most, const ResourceList& other) {
  for (const auto& [name, quantity] : other) {
    const auto [place, is_new] = most.try_emplace(name, quantity);
    if (!is_new) place->second = std::max(place->second, quantity);
  }
}

// Resources that may be requested at pod level; other resources have no effect there.
bool counts_for_the_whole_pod(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

Result<ResourceList> aggregate(const PodSpec& spec, Side side) {
  ResourceList running;
  for (const Container& container : spec.containers) {
    TRY_VOID(add(running, container.resources.*side));
  }

  ResourceList sidecars;
  ResourceList starting;  // the maximum over all moments of the start
  for (const Container& container : spec.initContainers) {
    if (container.restartPolicy == "Always") {
      TRY_VOID(add(sidecars, container.resources.*side));
      raise(starting, sidecars);
    } else {
      ResourceList moment = sidecars;
      TRY_VOID(add(moment, container.resources.*side));
      raise(starting, moment);
    }
  }
  TRY_VOID(add(running, sidecars));
  raise(running, starting);

  if (spec.resources) {
    for (const auto& [name, quantity] : (*spec.resources).*side) {
      if (counts_for_the_whole_pod(name)) running[name] = quantity;
    }
  }
  return running;
}

}  // namespace

Result<ResourceList> pod_requests(const PodSpec& spec) {
  TRY(ResourceList requests, aggregate(spec, &ResourceRequirements::requests));
  TRY_VOID(add(requests, spec.overhead));
  return requests;
}

Result<ResourceList> pod_limits(const PodSpec& spec) {
  TRY(ResourceList limits, aggregate(spec, &ResourceRequirements::limits));
  // Overhead counts only if there is a limit.
  for (const auto& [name, quantity] : spec.overhead) {
    if (limits.contains(name)) TRY_VOID(add(limits, {{name, quantity}}));
  }
  return limits;
}

}  // namespace kube::inline api
