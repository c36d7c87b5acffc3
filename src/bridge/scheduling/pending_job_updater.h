// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/role_context.h"
#include "bridge/scheduling/node_choice.h"
#include "bridge/scheduling/pod_record.h"
#include "bridge/state/cluster_state.h"

#include <functional>

namespace bridge::scheduling {

// Finds the record of a pod; null if there is none.
using FindRecord = std::function<PodRecord*(const kube::ObjectKey&)>;

// Updates the excluded nodes of pending jobs. Nodes are added and removed after the submit, and a
// job that excludes a suitable node may start later than necessary.
//
// Guarantees  writes only to a job whose identity contains exactly one pod, after a read that
//             confirms the identity.
// Does not    remove nodes from a list that an administrator changed (excluded_nodes.h).
class PendingJobUpdater {
 public:
  PendingJobUpdater(const runtime::RoleContext& context,
                    state::ClusterState& cluster,
                    NodeChoice& choice,
                    FindRecord record_of)
      : context_(context), cluster_(cluster), choice_(choice), record_of_(std::move(record_of)) {}

  // `job`: a pending job as read from Slurm.
  net::Task<void> refresh_excluded_nodes(slurm::Job job);

 private:
  const runtime::RoleContext& context_;
  state::ClusterState& cluster_;
  NodeChoice& choice_;
  FindRecord record_of_;
};

}  // namespace bridge::scheduling
