// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/process/instance.h"
#include "telemetry/health.h"
#include "telemetry/metrics.h"

namespace bridge::process {

// Registers the metrics of an instance. Each name begins with slurm_bridge_:
//   leader                        1 if this process may act: it holds its Leases, or has none
//   slurm_up                      1 if Slurm answered the latest poll, 0 if not; absent before the
//                                 first answer or failure
//   slurm_token_ok                1 if Slurm accepts jobs under our token, 0 if it certainly does
//                                 not; absent while unknown, and in a role that submits no jobs
//   jobs_followed                 jobs whose state is polled
//   slurm_nodes                   nodes of Slurm
//   slurm_nodes_not_responding    nodes that Slurm does not reach
//   pods_in_doubt                 running pods whose job is unknown to Slurm, without proof that
//                                 the job ended
//   steps_total{step,outcome}     steps for pods: done, or the kind of the error
//   objects{resource}             objects in the caches
//   lists_total{resource}, watches_total{resource}, watch_gone_total{resource}
//   events_total{outcome}         Events: written, dropped by the rate limit, failed
//
// Expects     that the instance outlives every reading of the metrics.
void register_metrics(const Instance& instance, telemetry::Metrics& metrics);

// Registers the health checks of an instance: Instance::ready() for each role that it runs, and
// Instance::polled(). An absent Slurm and a token that Slurm does not accept are remarks, not
// failures.
//
// Expects     that the instance outlives every health check.
void register_health_checks(const Instance& instance, Role role, telemetry::Health& health);

}  // namespace bridge::process
