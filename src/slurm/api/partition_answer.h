// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"
#include "slurm/api/model.h"

#include <vector>

namespace slurm::inline api {

// Parser for /partitions/. Pure.
base::Result<std::vector<Partition>> partitions(const net::http::Response& answer);

}  // namespace slurm::inline api
