// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"

#include <string_view>

namespace models::actors {

// The strategic merge patch with which a kubelet reports that a pod is Running, Succeeded or
// Failed: phase, conditions and one status per container, as far as kubectl shows them. No
// container runs.
json::Value kubelet_status(const json::Value& pod, std::string_view phase, base::WallTime now);

}  // namespace models::actors
