// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "slurm/api/ids.h"

#include <optional>

namespace bridge::marks {

// The job id on the pod's label; empty if there is none or it is no job id.
std::optional<slurm::JobId> named_job(const kube::Pod& pod);

// The job on the label had our identity when it was written there.
bool names_identified_job(const kube::Pod& pod);

// Somebody who knows that Slurm lost the pod's job wants a new one for the node that the pod has.
bool asks_to_reserve_again(const kube::Pod& pod);

}  // namespace bridge::marks
