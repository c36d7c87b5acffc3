// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/slurm/cluster.h"

#include <string>

namespace sandbox {

// The queue as text: live jobs and those that ended recently, in columns like squeue. The first
// line states that this is the sandbox.
std::string queue_page(const models::slurm::SlurmCluster& cluster);

}  // namespace sandbox
