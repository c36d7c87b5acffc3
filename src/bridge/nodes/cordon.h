// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"

#include <string>

namespace bridge::nodes {

// The field manager of our writes to nodes.
inline constexpr std::string_view kFieldManager = "slurm-bridge";

enum class Cordoned { no, by_us, by_others };

// The origin of a node's cordon. Ours has workload::kDrainReason; but that annotation remains if an
// administrator removes our cordon and sets another one, so the manager that the API server records
// for the cordon takes precedence.
Cordoned cordoned(const kube::Node& node);

// Slurm's reason for the cordon that we set, whether the cordon still exists or not; nullptr
// without one.
const std::string* noted_reason(const kube::Node& node);

// It is recorded that an administrator removed our cordon: the present cordon is not ours.
bool noted_as_lifted(const kube::Node& node);

}  // namespace bridge::nodes
