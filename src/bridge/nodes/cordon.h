// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"

#include <string>

namespace bridge::nodes {

// Under this name the API server notes what we write on a node.
inline constexpr std::string_view kFieldManager = "slurm-bridge";

enum class Cordoned { no, by_us, by_others };

// Whose the cordon of a node is. Ours carries workload::kDrainReason; but that stays where somebody
// lifts our cordon and sets his own, and so whom the API server names as the one who set it counts
// for more.
Cordoned cordoned(const kube::Node& node);

// Slurm's reason for the cordon that we set, whether it still stands or not; nullptr if there is
// none.
const std::string* noted_reason(const kube::Node& node);

// It is noted that somebody lifted our cordon: what is set now is not ours.
bool noted_as_lifted(const kube::Node& node);

}  // namespace bridge::nodes
