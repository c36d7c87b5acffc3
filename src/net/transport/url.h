// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace net::inline transport {

// The address of a server: `http(s)://host[:port][/prefix]`.
struct Url {
  bool tls = false;
  std::string host;  // a lower-case name or an address; IPv6 without brackets
  std::uint16_t port = 0;
  std::string prefix;  // "" or "/path" without a trailing slash: prefix of every target

  // For the Host header: the port only if it is not the default of the scheme, IPv6 in brackets.
  std::string authority() const;
  std::string to_string() const;
};

// Kind::invalid for anything else: another scheme, user or password, query, fragment, a port out of
// range. The message never contains a password.
base::Result<Url> parse_url(std::string_view text);

// Encodes everything except letters, digits and -._~ as %XX, so that no value can end its segment
// or its query parameter.
std::string encode_path_segment(std::string_view segment);
std::string encode_query_value(std::string_view value);

}  // namespace net::inline transport
