// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/state/cluster_state.h"

#include <optional>
#include <string>

namespace bridge::state {

// The job with that id belongs to another owner: slurmctld issued the id a second time. `job_name` is the name that the
// pod's own job would have; with it, a job without any identity is recognized as well.
bool job_id_was_reused(const ClusterState& cluster,
                       slurm::JobId job,
                       const kube::Pod& pod,
                       const std::optional<std::string>& job_name = {});

}  // namespace bridge::state
