// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/plan/plan.h"

namespace slurmop::plan {

// Adds the deletion of daemons' pods that are stuck in CrashLoopBackOff (status/pod_problem.h).
// Worker pods are not concerned: their jobs decide (plan_workers).
void add_crash_loop_steps(const Known& known, Plan& plan);

}  // namespace slurmop::plan
