// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/api/generated/slurm_cluster.h"
#include "operator/api/validate.h"

namespace slurmop::api {

// The lines of rawConfig and customSlurmConfig against the partitions and NodeSets of the cluster: a
// name that exists twice, an unknown NodeSet, two default partitions. A field that already has an
// error is not checked again.
void check_configuration(const SlurmClusterSpec& spec,
                         const NodeSetNames& node_sets,
                         Findings& findings);

}  // namespace slurmop::api
