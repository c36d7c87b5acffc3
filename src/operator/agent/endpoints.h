// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/http/handler.h"
#include "net/http_wire/http.h"
#include "operator/agent/report.h"

#include <functional>
#include <string>

namespace slurmop::agent {

// What the HTTP endpoints show.
struct Shown {
  std::function<Report()> report;
  std::function<std::string()> missing;  // empty if there is an active configuration
};

// GET /healthz  200 if there is an active configuration, else 503 with the reason
// GET /status   the report as JSON
// Other paths are 404, other methods than GET and HEAD 405.
net::http::Response answer(const net::http::Request& request, const Shown& shown);

net::http::Handler handler(Shown shown);

}  // namespace slurmop::agent
