// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slurm/api/job_update.h"
#include "slurm/api/model.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

// The nodes that a waiting job leaves out, kept right while it waits: nodes come and go, change
// their labels, fill up and become free again.
namespace bridge::scheduling {

// For the job's comment: says which list is ours. A list without its mark was changed by an
// administrator or by a job_submit script. No nodes, no mark.
std::string excluded_nodes_mark(std::vector<slurm::SlurmNodeName> nodes);

// What to change so that a waiting job leaves out `wanted`; nothing if it does, or if the job may
// only run on certain nodes anyway.
//
// Guarantees  nothing is taken off a list that is not ours; only nodes that Slurm knows are named.
std::optional<slurm::JobUpdate> excluded_nodes_update(const slurm::Job& job,
                                                      std::vector<slurm::SlurmNodeName> wanted,
                                                      const std::set<slurm::SlurmNodeName>& known);

}  // namespace bridge::scheduling
