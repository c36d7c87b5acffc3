// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/slurm/records.h"

#include <string_view>
#include <variant>
#include <vector>

namespace models::slurm {

// The nodes of a line in the syntax of POST /new/node/: NodeName=d[1-2] CPUs=8 ... State=EXTERNAL;
// or Slurm's error number.
std::variant<std::vector<SlurmNode>, int> read_node_conf(std::string_view conf);

}  // namespace models::slurm
