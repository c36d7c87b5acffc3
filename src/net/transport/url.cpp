// SPDX-License-Identifier: Apache-2.0
#include "net/transport/url.h"

#include "base/ascii.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>

namespace net::inline transport {
namespace {

using base::Error;
using base::is_digit;
using base::Kind;
using base::Result;

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_unreserved(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_ipv6(const std::string& text) {
  in6_addr address{};
  return inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

// "1.2.3" or "1.2.3.256" would be resolved as names, which is never intended.
bool looks_like_ipv4(std::string_view host) {
  return std::ranges::all_of(host, [](char c) { return is_digit(c) || c == '.'; });
}

bool is_host(const std::string& host) {
  constexpr std::size_t kLongestName = 253;
  if (host.empty() || host.size() > kLongestName) return false;
  if (looks_like_ipv4(host)) {
    in_addr address{};
    return inet_pton(AF_INET, host.c_str(), &address) == 1;
  }
  const bool letters_only = std::ranges::all_of(
      host, [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_'; });
  return letters_only && host.front() != '.' && host.front() != '-' && !host.contains("..");
}

bool is_path(std::string_view path) {
  constexpr std::string_view kAlsoAllowed = "/!$&'()*+,;=:@";
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (is_unreserved(path[i]) || kAlsoAllowed.contains(path[i])) continue;
    if (path[i] != '%' || i + 2 >= path.size() || !is_hex(path[i + 1]) || !is_hex(path[i + 2]))
      return false;
    i += 2;
  }
  return true;
}

std::string encode(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 0xFU];
    }
  }
  return out;
}

// Splits "host", "host:port", "[v6]" or "[v6]:port"; the port stays 0 if there is none.
Result<void> read_authority(std::string_view text, Url& url) {
  std::string_view port;
  bool has_port = false;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos)
      return Error(Kind::invalid, "the ] of the address is missing");
    url.host = text.substr(1, end - 1);
    if (!is_ipv6(url.host)) return Error(Kind::invalid, "there is no IPv6 address in the brackets");
    const std::string_view rest = text.substr(end + 1);
    has_port = !rest.empty();
    if (has_port && rest.front() != ':')
      return Error(Kind::invalid, "after the ] only a port may follow");
    if (has_port) port = rest.substr(1);
  } else {
    const auto colon = text.find(':');
    url.host = text.substr(0, colon);
    has_port = colon != std::string_view::npos;
    if (has_port) port = text.substr(colon + 1);
    if (!is_host(url.host)) return Error(Kind::invalid, "it has no valid host");
  }
  if (!has_port) return {};

  const char* end = port.data() + port.size();
  const auto [stopped, failed] = std::from_chars(port.data(), end, url.port);
  if (failed != std::errc() || stopped != end || url.port == 0)
    return Error(Kind::invalid, "the port is not a number from 1 to 65535");
  return {};
}

Result<Url> parse(std::string_view text) {
  Url url;
  if (text.starts_with("https://")) {
    url.tls = true;
    text.remove_prefix(8);
  } else if (text.starts_with("http://")) {
    text.remove_prefix(7);
  } else {
    return Error(Kind::invalid, "it does not begin with http:// or https://");
  }
  if (text.find_first_of("?#") != std::string_view::npos)
    return Error(Kind::invalid, "a query or fragment is not allowed");

  const auto slash = text.find('/');
  if (slash != std::string_view::npos) url.prefix = text.substr(slash);
  while (url.prefix.ends_with('/')) url.prefix.pop_back();
  if (!is_path(url.prefix)) return Error(Kind::invalid, "the path has a character that needs %XX");

  TRY_VOID(read_authority(text.substr(0, slash), url));
  if (url.port == 0) url.port = url.tls ? kHttpsPort : kHttpPort;
  url.host = base::ascii_lower(url.host);
  return url;
}

}  // namespace

std::string Url::authority() const {
  const bool v6 = host.contains(':');
  const std::string name = v6 ? fmt::format("[{}]", host) : host;
  return port == (tls ? kHttpsPort : kHttpPort) ? name : fmt::format("{}:{}", name, port);
}

std::string Url::to_string() const {
  return fmt::format("{}://{}{}", tls ? "https" : "http", authority(), prefix);
}

Result<Url> parse_url(std::string_view text) {
  if (text.contains('@'))
    return Error(Kind::invalid, "a URL with a user or password in it is not accepted");
  auto url = parse(text);
  if (!url.ok()) return std::move(url).error().in(fmt::format("URL {}", base::quoted(text)));
  return url;
}

std::string encode_path_segment(std::string_view segment) {
  return encode(segment);
}

std::string encode_query_value(std::string_view value) {
  return encode(value);
}

}  // namespace net::inline transport
