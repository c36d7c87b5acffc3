// SPDX-License-Identifier: Apache-2.0
#include "workload/finalizers.h"

#include "workload/wellknown.h"

#include <algorithm>

namespace workload {

bool is_bridge_finalizer(std::string_view finalizer) {
  return finalizer == kFinalizer || finalizer == kOldFinalizer;
}

bool has_bridge_finalizer(const kube::ObjectMeta& metadata) {
  return std::ranges::any_of(metadata.finalizers, is_bridge_finalizer);
}

}  // namespace workload
