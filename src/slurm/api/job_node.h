// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "net/http_wire/http.h"
#include "slurm/api/ids.h"

namespace slurm::inline api {

// The job with this id in an answer of /job/ID, which also contains the other components of a het
// job and the tasks of an array. Shared by the parsers of this folder.
base::Result<json::Node> job_node(const net::http::Response& answer,
                                  JobId id,
                                  json::Parser& parser);

}  // namespace slurm::inline api
