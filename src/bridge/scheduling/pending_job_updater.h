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

// Keeps the excluded nodes of pending jobs up to date: nodes come and go after the submit, and a node that a job excludes
// without need delays its start.
//
// Guarantees  writes only to a job that names exactly one of our pods, after a read that confirms its identity.
// Does not    touch a list that an administrator changed (excluded_nodes.h).
class PendingJobUpdater {
 public:
  PendingJobUpdater(const runtime::RoleContext& context,
                    state::ClusterState& cluster,
                    NodeChoice& choice,
                    FindRecord record_of)
      : context_(context), cluster_(cluster), choice_(choice), record_of_(std::move(record_of)) {}

  // `job` was read while it waits.
  net::Task<void> refresh_excluded_nodes(slurm::Job job);

 private:
  const runtime::RoleContext& context_;
  state::ClusterState& cluster_;
  NodeChoice& choice_;
  FindRecord record_of_;
};

}  // namespace bridge::scheduling
