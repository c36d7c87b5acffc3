// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "models/kube/refusal.h"
#include "models/kube/target.h"

#include <cstdint>
#include <optional>

// What is special about pods.
namespace models::kube {

// What is filled in whenever a pod is written.
void pod_defaults(json::Value& pod);
// What a new pod gets besides: its first status, service account and priority.
void pod_begin(json::Value& pod, base::WallTime now);

Refused check_new_pod(const KubeResource& resource, const json::Value& pod);
// Of a pod's spec only images, deadline, tolerations and gates may change, and those in one
// direction.
Refused check_pod_update(const KubeResource& resource,
                         const json::Value& old,
                         const json::Value& pod);

// Makes the pod the node's, as the body of a Binding says.
Refused bind_pod(const KubeTarget& target,
                 const json::Value& binding,
                 base::WallTime now,
                 json::Value& pod);

// How long a pod may take to end, if a delete asks for `wanted` or for nothing.
std::int64_t pod_grace(const json::Value& pod, std::optional<std::int64_t> wanted);

}  // namespace models::kube
