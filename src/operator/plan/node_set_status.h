// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/plan/plan.h"
#include "operator/plan/worker_actions.h"

namespace slurmop::plan {

// Adds the status of one NodeSet: phase, counters, the selector for autoscalers, and the conditions
// PodsReady and UpdatePending.
void add_node_set_status(const settle::Cluster& cluster,
                         const SetPlan& of_set,
                         const Known& known,
                         Plan& plan);

}  // namespace slurmop::plan
