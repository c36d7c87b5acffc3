// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace net::inline transport {

struct Url;

// The proxy settings of the environment, with their usual meaning.
struct ProxySettings {
  std::string http;     // the proxy for http://: "http://user:password@host:port", "host:port"
  std::string https;    // for https://
  std::string exclude;  // NO_PROXY: hosts that are reached directly
};

// Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; if one is empty, the same name in lower case.
// `environment` returns the value of a variable, empty if it is not set.
//
// Guarantees  HTTP_PROXY (upper case) is ignored if REQUEST_METHOD is set: the process is then a
//             CGI program, and the variable contains the header "Proxy" of a client.
ProxySettings proxies_of(const std::function<std::string(const std::string&)>& environment);

// The proxy to connect to instead of the origin.
struct Proxy {
  std::string host;
  std::uint16_t port = 0;
  base::Secret authorization;  // value of Proxy-Authorization; empty: none
};

// Returns the proxy for a URL, or none if its host is reached directly.
//
// Guarantees  Go's rules. Localhost and loopback addresses are always reached directly. An
//             exclusion is an address, a range (10.0.0.0/8, fd00::/8), a name with all its
//             subdomains ("example.com"), only the subdomains (".example.com", "*.example.com"), or
//             "*" for everything; each except ranges may have a port and then applies to that port
//             only. Any other text excludes nothing. Kind::invalid, without the password in the
//             message, for a proxy address that is malformed or not supported (https://,
//             socks5://), but only where it would be used.
base::Result<std::optional<Proxy>> proxy_for(const ProxySettings& settings, const Url& url);

}  // namespace net::inline transport
