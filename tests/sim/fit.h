// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "truth.h"

#include <string>

namespace sim {

class World;

// Whether the node could run the pod if it had no other pods of the bridge, judged by the actual
// state of both systems.
//
// Does not    consider readiness, cordons and drains, which are temporary.
bool could_take(World& world, const std::string& node, const PodTruth& pod);

}  // namespace sim
