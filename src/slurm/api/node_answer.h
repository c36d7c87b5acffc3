// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"
#include "slurm/api/model.h"

#include <optional>

// Parsers for answers about nodes and controllers. Pure.
namespace slurm::inline api {

// /nodes/. Empty if Slurm answers that nothing changed since the given time (304).
base::Result<std::optional<NodeList>> nodes(const net::http::Response& answer);

// /ping/. slurmrestd answers even if no controller does: see Ping::responding().
base::Result<Ping> ping(const net::http::Response& answer);

}  // namespace slurm::inline api
