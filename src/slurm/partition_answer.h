// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http.h"
#include "slurm/model.h"

#include <vector>

namespace slurm {

// /partitions/, read purely.
base::Result<std::vector<Partition>> partitions(const net::http::Response& answer);

}  // namespace slurm
