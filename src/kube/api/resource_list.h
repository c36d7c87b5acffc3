// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.h"

#include <map>
#include <string>

namespace kube::inline api {

// Amounts by the name of the resource: "cpu", "memory", "nvidia.com/gpu", ...
using ResourceList = std::map<std::string, base::Quantity>;

}  // namespace kube::inline api
