// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/http/handler.h"
#include "net/http_wire/http.h"
#include "telemetry/health.h"
#include "telemetry/metrics.h"

#include <functional>
#include <optional>
#include <vector>

namespace telemetry {

// Answers the requests of its paths and returns nothing for all others.
using Endpoint = std::function<std::optional<net::http::Response>(const net::http::Request&)>;

// GET /metrics
Endpoint metrics_endpoint(const Metrics& metrics);

// GET /healthz  200 while the loop runs.
// GET /readyz   200 "ok" if every check passes, else 500 and one line per check with what is
//               missing; with ?verbose always with the lines. Kubernetes' own components answer the
//               same way. A remark is a line "[!]name: text" among them.
Endpoint health_endpoint(const Health& health);

// Returns the answer of the first endpoint that has one; 404 if none has. The objects behind the
// endpoints must outlive the handler.
net::http::Handler serve(std::vector<Endpoint> endpoints);

}  // namespace telemetry
