// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/plan/plan.h"

#include <string>
#include <vector>

namespace slurmop::plan {

// The plan of one set of workers.
struct SetPlan {
  settle::WorkerSet set;
  workers::WorkerPlan workers;
};

// Plans every set of the cluster, and the removal of the workers of a set that the resource no
// longer has. The workers of a deleted NodeSet are deleted by the garbage collector.
std::vector<SetPlan> plan_sets(const settle::Cluster& cluster, const Known& known);

// Adds the steps of the sets to the plan.
void add_worker_steps(const settle::Cluster& cluster, const std::vector<SetPlan>& sets, Plan& plan);

}  // namespace slurmop::plan
