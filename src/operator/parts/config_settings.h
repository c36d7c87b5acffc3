// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/conf/draft.h"
#include "operator/settle/cluster.h"

#include <vector>

// Keys of configuration files that fields of the resource set, each with the name of its field for
// messages. A field that is empty, or whose value is Slurm's own default, sets nothing.
namespace slurmop::parts {

enum class Gpus { none, some };

// spec.slurmConfig, the metrics of slurmctld and, with accounting, spec.slurmNodes.accounting
// .slurmConfig.
//
// Does not    set the topology, power saving, or how usage is measured: workers have no known place in
//             the network, are pods that Slurm cannot power up, and have no cgroups.
std::vector<conf::Setting> slurm_settings(const api::SlurmClusterSpec& spec, Gpus gpus);

// spec.slurmNodes.accounting.slurmdbdConfig and the storageParameters of an external database.
std::vector<conf::Setting> slurmdbd_settings(const api::Accounting& accounting);

}  // namespace slurmop::parts
