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

// The bytes of a request, with the headers that are the transport's: Host, User-Agent,
// Content-Length; and, if it is `forwarded` by a proxy, with the origin before its target and the
// proxy's authorization.
//
// Guarantees  exactly one request, whatever its parts contain: Kind::invalid for a method, target
//             or header that could begin a new line or a new word, and for a header that is not the
//             caller's to set. Values stay out of the message, for they may be secret.
base::Result<std::string> encode(const Request& request,
                                 std::string_view authority,
                                 std::string_view user_agent,
                                 const Forwarding* forwarded = nullptr);

}  // namespace net::http
