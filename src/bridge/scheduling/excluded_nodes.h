// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slurm/api/job_update.h"
#include "slurm/api/model.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

// The excluded nodes of a pending job, and their update after changes of the nodes.
namespace bridge::scheduling {

// Returns the text for the job's comment that identifies this list of excluded nodes as ours. A
// list that does not match the comment was changed by an administrator or by a job_submit script.
// Empty for an empty list.
std::string excluded_nodes_mark(std::vector<slurm::SlurmNodeName> nodes);

// Returns the update after which a pending job excludes `wanted`. Empty if the job already excludes
// these nodes, has required nodes, or has node lists that cannot be parsed.
//
// Guarantees  the new list contains only nodes in `known`, the nodes of Slurm; no node in `known`
//             is removed from a list that is not ours.
std::optional<slurm::JobUpdate> excluded_nodes_update(const slurm::Job& job,
                                                      std::vector<slurm::SlurmNodeName> wanted,
                                                      const std::set<slurm::SlurmNodeName>& known);

}  // namespace bridge::scheduling
