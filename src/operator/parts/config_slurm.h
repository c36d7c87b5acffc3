// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/conf/slurm_conf.h"
#include "operator/settle/cluster.h"

namespace slurmop::parts {

// Who the cluster is and how its daemons reach each other; without nodes, partitions and settings.
conf::SlurmConf identity_of(const settle::Cluster& cluster);

// Everything that determines the slurm.conf of slurmctld.
//
// Errors      invalid  a line of rawConfig or customSlurmConfig is not accepted; all problems, each
//                      with field and line.
base::Result<conf::SlurmConf> slurm_conf_of(const settle::Cluster& cluster);

// Whether workers announce GPUs: gpu.enabled, or a Gres in nodeConfig.static.
bool has_gpus(const settle::Cluster& cluster);

// "<field> line 3: ...; <field> line 5: ..." as an error; the lines if there is none.
base::Result<conf::CustomConfig> accepted(conf::CheckedConfig checked, std::string_view field);

}  // namespace slurmop::parts
