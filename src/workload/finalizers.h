// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"

#include <string_view>

namespace workload {

// A finalizer that a bridge sets on a pod and removes when the pod's job has been released: ours,
// or that of the reference's versions 0.3 and 0.4.
bool is_bridge_finalizer(std::string_view finalizer);
bool has_bridge_finalizer(const kube::ObjectMeta& metadata);

}  // namespace workload
