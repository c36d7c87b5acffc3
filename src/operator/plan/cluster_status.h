// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/plan/plan.h"
#include "operator/plan/worker_actions.h"

#include <vector>

// The status of the resources, from what is observed.
namespace slurmop::plan {

// Sets status, NodeSet statuses and the Events of their changes.
//
// Guarantees  conditions of other controllers and their order are kept; lastTransitionTime changes
//             only with the status of a condition; equal facts give an equal status, so that nothing
//             is written while nothing changes. A condition that is Unknown does not change the
//             phase.
void add_status(const settle::Cluster& cluster,
                const api::Findings& findings,
                const std::vector<SetPlan>& sets,
                const Known& known,
                Plan& plan);

// The status of a resource with invalid fields: the phase and all other conditions stay.
void add_invalid_status(const std::vector<std::string>& errors, const Known& known, Plan& plan);

}  // namespace slurmop::plan
