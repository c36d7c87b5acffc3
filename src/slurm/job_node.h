// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "net/http.h"
#include "slurm/ids.h"

namespace slurm {

// The one job in an answer of /job/ID, which also holds the other components of a het job and the
// tasks of an array. Shared by the readers of this folder.
base::Result<json::Node> job_node(const net::http::Response& answer,
                                  JobId id,
                                  json::Parser& parser);

}  // namespace slurm
