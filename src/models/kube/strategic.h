// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

namespace models::kube {

// Kubernetes' strategic merge patch: like a merge patch, but lists whose elements have a key
// (conditions by type, containers by name, ...) or are a set (finalizers) are merged as well.
// Implements the keys of pods and nodes, `$patch: delete` of an element and
// `$deleteFromPrimitiveList`; other lists are replaced.
void apply_strategic_patch(json::Value& object, const json::Value& patch);

}  // namespace models::kube
