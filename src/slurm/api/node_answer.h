// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"
#include "slurm/api/model.h"

#include <optional>

// Answers about nodes and controllers, read purely.
namespace slurm::inline api {

// /nodes/. Empty where Slurm says that nothing changed since the time asked about (304).
base::Result<std::optional<NodeList>> nodes(const net::http::Response& answer);

// /ping/. slurmrestd answers also while no controller does: see Ping::responding().
base::Result<Ping> ping(const net::http::Response& answer);

}  // namespace slurm::inline api
