// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "models/kube/resource.h"

namespace models::kube {

// The form in which the API server stores an object: without nulls and empty lists where it omits
// them, with defaults where it sets them. Applied to every write before the comparison with the
// stored object.
void normalize(const KubeResource& resource, json::Value& object);

// Converts an event of core/v1 to events.k8s.io/v1, and back.
json::Value to_new_event(const json::Value& event);
json::Value to_core_event(const json::Value& event);

}  // namespace models::kube
