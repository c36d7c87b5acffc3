// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "plan.h"

#include <string>

// Request bodies of the load driver. Pure.
namespace load {

std::string pod_name(const Plan& plan, std::int32_t number);

// A small pod: 100m CPU, 64Mi.
json::Object pod(const Plan& plan, std::int32_t number);

// What a scheduler writes to a pod after it submitted the job: label and finalizer.
json::Object label_patch(const Plan& plan, std::int32_t number);

// What it writes to bind the pod.
json::Object binding(const Plan& plan, std::int32_t number);

}  // namespace load
