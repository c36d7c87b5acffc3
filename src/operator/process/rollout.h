// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/plan/plan.h"

namespace slurmop::process {

// The progress of a StatefulSet or Deployment, from its content. Absent numbers are 0, absent
// replicas 1, as in the API.
plan::Rollout rollout_of(const json::Value& object);

}  // namespace slurmop::process
