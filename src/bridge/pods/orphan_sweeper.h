// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/role_context.h"
#include "bridge/state/cluster_state.h"

#include <map>

namespace bridge::pods {

// Cancels live orphans: jobs whose pod was deleted before it was labelled, and second jobs that
// were submitted after a lost answer. Runs in the role controllers only.
//
// Guarantees  cancels only jobs with our identity that were orphans for a grace period by the
//             cluster state, and then by a read of their pods from the API server.
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
