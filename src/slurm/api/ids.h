// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/strong.h"

#include <cstdint>
#include <string>

namespace slurm::inline api {

// Slurm gives ids in growing order and does not use one twice in any time that matters to us.
using JobId = base::Strong<std::uint32_t, struct JobIdTag>;

// A node's name in Slurm. It need not be its name in Kubernetes.
using SlurmNodeName = base::Strong<std::string, struct SlurmNodeNameTag>;

}  // namespace slurm::inline api
