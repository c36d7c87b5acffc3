// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/client/client.h"
#include "slurm/client/client.h"

#include <string>
#include <string_view>
#include <vector>

namespace bridge::nodes {

// The Kubernetes nodes of a list that would get our taint: those that Slurm knows and that do not
// have it.
base::Result<std::vector<std::string>> nodes_to_taint(std::string_view node_list,
                                                      const std::vector<slurm::Node>& slurm_nodes,
                                                      const std::string& scheduler_name);

// The effects of tainting, read from both systems now, as text. Changes nothing.
net::Task<base::Result<std::string>> taint_plan(kube::Client& kube,
                                                slurm::Client& slurm,
                                                std::string scheduler_name,
                                                base::Instant deadline);

}  // namespace bridge::nodes
