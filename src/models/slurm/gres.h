// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/slurm/records.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace models::slurm {

// "gres/gpu:a100:2,gres/gpu:1" as {"gpu:a100": 2, "gpu": 1}; empty if an entry is not a gres.
std::optional<std::map<std::string, std::uint32_t>> read_gres(std::string_view tres);

// "gpu:a100:2" as in Gres= of a node. Malformed entries are omitted.
std::map<std::string, std::uint32_t> read_node_gres(std::string_view gres);

// True if for each of these gres names some node has it (of any type).
bool gres_names_known(const std::map<std::string, std::uint32_t>& asked,
                      const std::map<std::string, SlurmNode>& nodes);

// True if each feature in a constraint exists on some node.
bool features_known(std::string_view constraint, const std::map<std::string, SlurmNode>& nodes);

}  // namespace models::slurm
