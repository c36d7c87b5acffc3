// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "models/kube/resource.h"

namespace models::kube {

// How the API server would write an object down: no nulls and no empty lists where it leaves them
// out, defaults where it fills them in. Applied to every write, before it is compared with what was
// there.
void normalize(const KubeResource& resource, json::Value& object);

// An event of core/v1 as events.k8s.io/v1 shows it, and back.
json::Value to_new_event(const json::Value& event);
json::Value to_core_event(const json::Value& event);

}  // namespace models::kube
