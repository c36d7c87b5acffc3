// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "kube/client/access.h"
#include "slurm/client/client.h"

#include <string>
#include <vector>

namespace bridge::nodes {

// The Kubernetes nodes that would get our taint: those that Slurm knows and that do not have it.
std::vector<std::string> nodes_to_taint(const std::vector<kube::Node>& nodes,
                                        const std::vector<slurm::Node>& slurm_nodes,
                                        const std::string& scheduler_name);

// The effects of tainting, read from both systems now, as text. Changes nothing.
net::Task<base::Result<std::string>> taint_plan(kube::Access kube,
                                                slurm::Client& slurm,
                                                std::string scheduler_name,
                                                base::Instant deadline);

}  // namespace bridge::nodes
