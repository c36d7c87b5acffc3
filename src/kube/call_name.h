// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/http.h"

#include <string>

namespace kube {

// What a request to the API server asks for, without whom it is about: "LIST pods", "WATCH pods",
// "GET namespaces", "PATCH pods/status". For metrics: there are few.
std::string call_name(const net::http::Request& request);

}  // namespace kube
