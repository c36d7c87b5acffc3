// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "slurm/api/ids.h"

#include <optional>

namespace bridge::marks {

// The job id in the pod's label; empty without a label or if its value is not a job id.
std::optional<slurm::JobId> named_job(const kube::Pod& pod);

// The job in the label had our identity when the label was written.
bool names_identified_job(const kube::Pod& pod);

// An annotation requests a new job on the pod's node, because Slurm lost the pod's job.
bool asks_to_reserve_again(const kube::Pod& pod);

}  // namespace bridge::marks
