// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/http_wire/http.h"

#include <string>

namespace slurm::inline client {

// The type of a request to slurmrestd without ids and names: "GET job/*", "POST job/submit", "GET
// jobs/state". For metric labels: the number of values is small.
std::string call_name(const net::http::Request& request);

}  // namespace slurm::inline client
