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

// What the environment says about proxies, as every tool of this field reads it.
struct ProxySettings {
  std::string http;     // the proxy for http://: "http://user:password@host:port", "host:port"
  std::string https;    // for https://
  std::string exclude;  // NO_PROXY: hosts that are reached directly
};

// Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or what stands under the same name in lower case if
// the first is empty. `environment` returns a variable's value, empty if there is none.
//
// Guarantees  HTTP_PROXY in capitals is not looked at if REQUEST_METHOD is set: then this is a CGI
//             program, and that variable is what a client wrote into its header "Proxy".
ProxySettings proxies_of(const std::function<std::string(const std::string&)>& environment);

// Where to go instead of the origin.
struct Proxy {
  std::string host;
  std::uint16_t port = 0;
  base::Secret authorization;  // value of Proxy-Authorization; empty: none
};

// The proxy for a URL, or none if its host is reached directly.
//
// Guarantees  Go's rules: this machine (localhost, loopback addresses) is always reached directly;
//             an exclusion is an address, a range (10.0.0.0/8, fd00::/8), a name that stands for
//             itself and all below it ("example.com"), only for what is below it (".example.com",
//             "*.example.com") or "*" for everything, each but ranges with a port if it is only
//             for that one. What is none of these excludes nothing.
//             Kind::invalid, without a password in the message, for a proxy's address that makes no
//             sense or that we cannot use (https://, socks5://), but only where it would be used.
base::Result<std::optional<Proxy>> proxy_for(const ProxySettings& settings, const Url& url);

}  // namespace net::inline transport
