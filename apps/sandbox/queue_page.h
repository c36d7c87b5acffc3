// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/slurm/cluster.h"

#include <string>

namespace sandbox {

// The queue as text, for a person: live jobs and those that ended lately, in columns like squeue's.
// Its first line says that it is the sandbox's.
std::string queue_page(const models::slurm::SlurmCluster& cluster);

}  // namespace sandbox
