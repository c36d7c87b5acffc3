// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "truth.h"

#include <string>

namespace sim {

class World;

// Where a pod could be if none of ours were there, by the truth: what no wait mends.
//
// Does not    look at health, cordons and drains, which pass.
bool could_take(World& world, const std::string& node, const PodTruth& pod);

}  // namespace sim
