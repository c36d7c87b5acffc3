// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "kube/client/access.h"
#include "kube/events/events.h"
#include "operator/plan/plan.h"
#include "operator/process/object_writer.h"
#include "operator/process/pod_writer.h"
#include "operator/process/secret_writer.h"
#include "operator/process/slurm_watch.h"
#include "operator/process/status_writer.h"
#include "operator/process/stores.h"

#include <functional>
#include <string>

namespace slurmop::process {

// A plan, and what it is based on.
struct Pass {
  ClusterRef cluster;
  plan::Plan plan;
  workers::SlurmView slurm;
};

// Executes plans: Secrets, objects, Slurm steps, pods, pruning, status, in this order.
//
// Expects     everything given outlives it and every call.
// Guarantees  it decides nothing. A rejected object is a failure in the outcome and keeps nothing else
//             from being written; a failed step in Slurm or on a pod ends these steps only; any
//             other error ends the pass. Nothing is written if nothing differs.
class Executor {
 public:
  // The Slurm of the cluster.
  struct SlurmLink {
    slurm::Client& client;
    std::function<void()> changed;  // called after a step was executed
  };

  Executor(const kube::Access& access, Stores& stores, kube::Events& events);

  net::Task<base::Result<PassOutcome>> execute(const Pass& pass, SlurmLink slurm);

 private:
  net::Task<base::Result<void>> take_steps(const Pass& pass,
                                           const SlurmLink& slurm,
                                           PassOutcome& outcome);
  void record_pods(const ClusterRef& cluster, const PodReport& report);
  void record(const ClusterRef& cluster, plan::EventRecord event);

  kube::Access access_;
  kube::Events& events_;
  SecretWriter secrets_;
  ObjectWriter objects_;
  PodWriter pods_;
  StatusWriter statuses_;
};

}  // namespace slurmop::process
