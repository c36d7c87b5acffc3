// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/http_wire/http.h"

#include <string>

namespace kube::inline client {

// What a request to the API server asks for, without whom it is about: "LIST pods", "WATCH pods",
// "GET namespaces", "PATCH pods/status". For metrics: there are few.
std::string call_name(const net::http::Request& request);

}  // namespace kube::inline client
