// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"

#include <string>
#include <string_view>

namespace net::inline transport {
struct Forwarding;
}

namespace net::http {

// Returns the bytes of a request, including the headers of the transport (Host, User-Agent,
// Content-Length) and, if a proxy has `forwarded` it, the origin before its target and the proxy's
// authorization.
//
// Guarantees  exactly one request for any input: Kind::invalid for a method, target or header that
//             could begin a new line or a new word, and for a header that only the transport sets.
//             Error messages do not contain header values, which may be secret.
base::Result<std::string> encode(const Request& request,
                                 std::string_view authority,
                                 std::string_view user_agent,
                                 const Forwarding* forwarded = nullptr);

}  // namespace net::http
