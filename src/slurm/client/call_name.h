// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/http_wire/http.h"

#include <string>

namespace slurm::inline client {

// What a request to slurmrestd asks for, without whom it is about: "GET job/*", "POST job/submit",
// "GET jobs/state". For metrics: there are few.
std::string call_name(const net::http::Request& request);

}  // namespace slurm::inline client
