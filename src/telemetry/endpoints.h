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

// Answers the requests that are its business, nothing to all others.
using Endpoint = std::function<std::optional<net::http::Response>(const net::http::Request&)>;

// GET /metrics
Endpoint metrics_endpoint(const Metrics& metrics);

// GET /healthz  200 as long as the loop turns.
// GET /readyz   200 "ok" if every check is ok, else 500 and a line for each check that says what is
//               missing; with ?verbose the lines are there in any case. This is how Kubernetes' own
//               components answer. A remark is a line "[!]name: text" among them.
Endpoint health_endpoint(const Health& health);

// The first endpoint that answers; 404 if none does. What they refer to must outlive the handler.
net::http::Handler serve(std::vector<Endpoint> endpoints);

}  // namespace telemetry
