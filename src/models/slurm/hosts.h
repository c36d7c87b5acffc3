// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace models::slurm {

// Hostlists in the model of Slurm. The product has its own parser (slurm/api/hostlist.h); the model
// does not share it, so that an error in the product's parser shows as a difference.

// "k[001-003,7],r1" -> k001 k002 k003 k7 r1.
base::Result<std::vector<std::string>> expand_hostlist(std::string_view list);

// The names, sorted and each once, with ranges over their trailing number: k[001-003].
base::Result<std::string> compress_hostlist(std::span<const std::string> names);

}  // namespace models::slurm
