// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/role_context.h"
#include "bridge/state/cluster_state.h"

#include <optional>
#include <string>

namespace bridge::scheduling {

// A job of a pod, with its admin_comment. All jobs of a pod have the same admin_comment, so the time
// of the submit distinguishes them if slurmctld crashed and issued the id again.
struct OwnJob {
  slurm::JobId id;
  std::string comment;
  std::optional<base::WallTime> submit_time = {};  // empty: not known
};

// Cancels a surplus or released job of a pod that does not name the job.
//
// Guarantees  reads the pod from the API server first: this process may have been stopped, and
//             another leader may have labelled the pod with the job. Cancels only a job with the
//             expected admin_comment and submit time, and no job that other pods need.
// Returns     true if nothing remains to be done: the job has ended or was cancelled, the pod names
//             it, or another pod of the job releases it. false if the call must be repeated.
net::Task<bool> cancel_surplus_job(const runtime::RoleContext& context,
                                   state::ClusterState& cluster,
                                   kube::ObjectKey pod,
                                   kube::Uid uid,
                                   OwnJob own);

}  // namespace bridge::scheduling
