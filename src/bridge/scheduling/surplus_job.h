// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/role_context.h"
#include "bridge/state/cluster_state.h"

#include <string>

namespace bridge::scheduling {

// A job that this process made, with what it says of itself.
struct OwnJob {
  slurm::JobId id;
  std::string comment;
};

// We made a job that the pod does not name, as far as we know: cancels it, unless the API server
// says otherwise. We may have slept since, and another leader may have found it and given it to the
// pod. A job that other pods still need is left to them.
//
// true        it needs no more care: it is gone, the pod names it after all, or other pods have it.
// false       try again.
net::Task<bool> cancel_surplus_job(const runtime::RoleContext& context,
                                   state::ClusterState& cluster,
                                   kube::ObjectKey pod,
                                   kube::Uid uid,
                                   OwnJob own);

}  // namespace bridge::scheduling
