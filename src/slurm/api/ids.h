// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/strong.h"

#include <cstdint>
#include <string>

namespace slurm::inline api {

// Slurm issues ids in ascending order. A slurmctld that crashed may issue its last ids again, so an
// id alone does not identify a job: see workload/identity.h.
using JobId = base::Strong<std::uint32_t, struct JobIdTag>;

// The name of a node in Slurm. Its name in Kubernetes may differ.
using SlurmNodeName = base::Strong<std::string, struct SlurmNodeNameTag>;

}  // namespace slurm::inline api
