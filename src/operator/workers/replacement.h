// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/workers/step.h"

namespace slurmop::workers {

// The next step for a kept worker without a pod. A Slurm node that is still there is set down first:
// otherwise its jobs would stay RUNNING under the new slurmd, and Slurm would start jobs on it before
// the new slurmd has registered.
//
// Expects     Slurm is known.
Step replace(const Worker& worker);

}  // namespace slurmop::workers
