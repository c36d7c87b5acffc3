// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/cluster_state.h"

#include <optional>
#include <string>

namespace bridge::state {

// The job with this id was not submitted for this pod: slurmctld issued the id a second time.
// `job_name` is the name that the pod's own job has; with it, a job without any identity is
// recognized as well. False while the job's admin_comment is not known.
bool job_id_was_reused(const ClusterState& cluster,
                       slurm::JobId job,
                       const kube::Pod& pod,
                       const std::optional<std::string>& job_name = {});

}  // namespace bridge::state
