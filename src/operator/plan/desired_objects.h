// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/plan/plan.h"

namespace slurmop::plan {

// All objects of the cluster except Secrets and worker pods.
//
// Errors      invalid  a value of the resource cannot be rendered; the message names the field.
base::Result<std::vector<json::Object>> desired_objects(const settle::Cluster& cluster);

// Orders of the Secrets that do not exist.
std::vector<parts::SecretOrder> missing_secrets(const settle::Cluster& cluster, const Known& known);

}  // namespace slurmop::plan
