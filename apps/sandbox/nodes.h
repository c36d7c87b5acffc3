// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "models/slurm/cluster.h"

#include <cstdint>
#include <string>

// The played nodes, as each of the two systems knows them: both must say the same.
namespace sandbox {

// As it calls itself wherever a real system gives its name or version.
inline constexpr std::string_view kName = "slurm-bridge-sandbox";

// sandbox-001, ...; counted from 0.
std::string node_name(std::int32_t index);

json::Value kube_node(std::int32_t index, base::WallTime now);

// The same partitions as the dev cluster's examples use: slurm-bridge with all nodes, and small
// with two.
models::slurm::SlurmOptions slurm_options(std::int32_t nodes);

}  // namespace sandbox
