// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "plan.h"

#include <string>

// What the load driver sends. Pure.
namespace load {

std::string pod_name(const Plan& plan, std::int32_t number);

// A small pod: 100m CPU, 64Mi.
json::Object pod(const Plan& plan, std::int32_t number);

// What a scheduler writes onto a pod whose job it has made: label and finalizer.
json::Object label_patch(const Plan& plan, std::int32_t number);

// What it writes when the pod has its place.
json::Object binding(const Plan& plan, std::int32_t number);

}  // namespace load
