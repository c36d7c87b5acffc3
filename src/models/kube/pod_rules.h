// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "models/kube/refusal.h"
#include "models/kube/target.h"

#include <cstdint>
#include <optional>

// Rules for pods.
namespace models::kube {

// Defaults that apply to every write of a pod.
void pod_defaults(json::Value& pod);
// Defaults of a new pod: its first status, service account and priority.
void pod_begin(json::Value& pod, base::WallTime now);

Refused check_new_pod(const KubeResource& resource, const json::Value& pod);
// In a pod's spec only images, deadline, tolerations and gates may change, and only in one
// direction.
Refused check_pod_update(const KubeResource& resource,
                         const json::Value& old,
                         const json::Value& pod);

// Binds the pod to the node in the body of a Binding.
Refused bind_pod(const KubeTarget& target,
                 const json::Value& binding,
                 base::WallTime now,
                 json::Value& pod);

// The grace period of a pod if a delete requests `wanted` or nothing.
std::int64_t pod_grace(const json::Value& pod, std::optional<std::int64_t> wanted);

}  // namespace models::kube
