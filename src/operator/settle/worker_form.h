// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/api/generated/node_set.h"
#include "operator/api/generated/slurm_cluster.h"

namespace slurmop::settle {

// Converts spec.slurmNodes.worker to the form of a NodeSet. Named volume sources are resolved.
//
// Does not    convert the placement (WorkerSet::placement has it), the images (WorkerSet::image), nor
//             command and args of slurmd, for which a NodeSet has no field.
api::NodeSetSpec node_set_form(const api::SlurmClusterSpec& spec, const api::Worker& worker);

}  // namespace slurmop::settle
