// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "models/slurm/cluster.h"

#include <cstdint>
#include <string>

// The simulated nodes in both systems; both must agree.
namespace sandbox {

// The name of the sandbox wherever a real system reports its name or version.
inline constexpr std::string_view kName = "slurm-bridge-sandbox";

// sandbox-001, ...; counted from 0.
std::string node_name(std::int32_t index);

json::Value kube_node(std::int32_t index, base::WallTime now);

// The partitions of the dev cluster's examples: slurm-bridge with all nodes, and small with two.
models::slurm::SlurmOptions slurm_options(std::int32_t nodes);

}  // namespace sandbox
