// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/api/generated/slurm_cluster.h"
#include "operator/api/validate.h"

namespace slurmop::settle {

// Adds fields that are acted on, but not with this value, to `findings.accepted`: accounting by
// cgroups, which the workers do not have.
void add_values_without_effect(const api::SlurmClusterSpec& spec, api::Findings& findings);

}  // namespace slurmop::settle
