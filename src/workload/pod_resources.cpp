// SPDX-License-Identifier: Apache-2.0
#include "workload/pod_resources.h"

#include <algorithm>

namespace workload {
namespace {

using base::Result;
using kube::Container;
using kube::ResourceList;
using kube::ResourceRequirements;
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

Result<ResourceList> aggregate(const kube::Pod& pod, Side side) {
  ResourceList running;
  for (const Container& container : pod.spec.containers) {
    TRY_VOID(add(running, container.resources.*side));
  }

  ResourceList sidecars;
  ResourceList starting;  // the most that any moment of the start needs
  for (const Container& container : pod.spec.initContainers) {
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

  if (pod.spec.resources) {
    for (const auto& [name, quantity] : (*pod.spec.resources).*side) running[name] = quantity;
  }
  return running;
}

}  // namespace

Result<ResourceList> pod_requests(const kube::Pod& pod) {
  TRY(ResourceList requests, aggregate(pod, &ResourceRequirements::requests));
  TRY_VOID(add(requests, pod.spec.overhead));
  return requests;
}

Result<ResourceList> pod_limits(const kube::Pod& pod) {
  TRY(ResourceList limits, aggregate(pod, &ResourceRequirements::limits));
  // Overhead counts only where there is a limit at all.
  for (const auto& [name, quantity] : pod.spec.overhead) {
    if (limits.contains(name)) TRY_VOID(add(limits, {{name, quantity}}));
  }
  return limits;
}

}  // namespace workload
