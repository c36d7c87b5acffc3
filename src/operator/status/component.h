// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/conditions.h"
#include "kube/api/workloads.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slurmop::status {

// Progress of one StatefulSet or Deployment.
struct Rollout {
  std::int32_t desired = 0;
  std::int32_t ready = 0;
  bool current = false;  // the controller has observed the newest spec and all pods follow it
};

// One component of a cluster, as observed.
struct Component {
  std::string condition;                // "ControllersAvailable"
  std::string object;                   // "StatefulSet/controller", the object to inspect
  std::optional<Rollout> rollout = {};  // empty: the object does not exist yet
  std::vector<kube::ObservedPod> pods = {};
};

// Returns the condition of a component: True if all desired pods are ready, else False with the
// object to inspect and the first problem of a pod.
kube::Condition condition_of(const Component& component);

// Condition of a component that the resource does not have.
kube::Condition disabled(std::string condition, std::string field);

}  // namespace slurmop::status
