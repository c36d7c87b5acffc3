// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/plan/plan.h"
#include "operator/process/stores.h"

#include <optional>
#include <string>
#include <vector>

namespace slurmop::process {

// What is known of a cluster besides the objects of the API server.
struct Beside {
  settle::Defaults defaults;
  workers::SlurmView slurm;
  std::optional<plan::ConfigReport> config;
  std::vector<std::string> apply_failures;
  base::WallTime now;
};

// What was decided for the cluster before, from status.naming and the users ConfigMap.
//
// Guarantees  of two clusters that want the short names, at most one sees them as free: the one that
//             has them recorded, else the older one.
settle::Recorded recorded_of(const Stores& stores, const kube::DynamicObject& cluster);

// Collects everything that decides about a cluster, at one moment.
plan::Known gather(const Stores& stores, const kube::DynamicObject& cluster, Beside beside);

}  // namespace slurmop::process
