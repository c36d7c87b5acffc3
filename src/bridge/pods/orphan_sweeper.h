// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/role_context.h"
#include "bridge/state/cluster_state.h"

#include <map>

namespace bridge::pods {

// Cancels live jobs of ours that nobody wants any more: a pod that went before it could be
// labelled, a second job made after a lost answer. Belongs to the controllers role and to no other.
//
// Guarantees  only jobs with our own identity; only after they looked unwanted for a grace time;
//             only after the pod was read from the API server itself, not from the cluster state.
class OrphanSweeper {
 public:
  OrphanSweeper(runtime::RoleContext context, state::ClusterState& cluster)
      : context_(std::move(context)), cluster_(cluster) {}

  // Runs until cancelled.
  net::Task<void> run();

 private:
  bool looks_unwanted(slurm::JobId job, const workload::Identity& identity);
  net::Task<void> sweep();
  net::Task<void> examine(slurm::JobId job, workload::Identity identity);

  runtime::RoleContext context_;
  state::ClusterState& cluster_;
  std::map<slurm::JobId, base::Instant> unwanted_since_;
};

}  // namespace bridge::pods
