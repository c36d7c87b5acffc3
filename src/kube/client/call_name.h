// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/http_wire/http.h"

#include <string>

namespace kube::inline client {

// The kind of a request to the API server, without the object: "LIST pods", "WATCH pods", "GET
// namespaces", "PATCH pods/status". For metrics: the number of names is small.
std::string call_name(const net::http::Request& request);

}  // namespace kube::inline client
