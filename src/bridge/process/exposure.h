// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/process/instance.h"
#include "telemetry/health.h"
#include "telemetry/metrics.h"

namespace bridge::process {

// Shows a running bridge to whoever asks this process how it is. The instance outlives every
// reading.
//
// Metrics, each beginning with slurm_bridge_:
//   leader                        1 if this process may act: it holds the Lease, or is alone
//   slurm_up                      1 if Slurm's latest answer came; absent while nobody asked it
//   slurm_token_ok                1 if Slurm takes jobs under our token, 0 if certainly not; absent
//                                 while it cannot be told, and where no role submits
//   jobs_followed                 jobs whose state is being asked for
//   steps_total{step,outcome}     steps for pods: done, or the kind of what went wrong
//   objects{resource}             pods and nodes in the caches
//   lists_total{resource}, watches_total{resource}, watch_gone_total{resource}
//   events_total{outcome}         Events: written, dropped by the rate limit, not taken
void register_metrics(const Instance& instance, telemetry::Metrics& metrics);

// A check for each role, with the meaning of Instance::ready(), one of Instance::polled(), and
// remarks on Slurm's absence and on a token that it does not accept.
void register_health_checks(const Instance& instance, Role role, telemetry::Health& health);

}  // namespace bridge::process
