// SPDX-License-Identifier: Apache-2.0
#include "net/transport/proxy.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "net/transport/ip_address.h"
#include "net/transport/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace net::inline transport {
namespace {

using base::Error;
using base::Kind;
using base::Result;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// One entry of NO_PROXY: "host", "host:port", "[v6]:port" or an address without brackets.
struct Exclusion {
  std::string host;
  std::string port;  // empty: all ports
};

Exclusion split(std::string_view entry) {
  const auto colon = entry.rfind(':');
  const bool bracketed = entry.starts_with('[');
  const bool has_port =
      colon != std::string_view::npos &&
      (bracketed ? colon > 0 && entry[colon - 1] == ']' : entry.find(':') == colon);
  Exclusion exclusion{std::string(has_port ? entry.substr(0, colon) : entry),
                      std::string(has_port ? entry.substr(colon + 1) : "")};
  if (bracketed && exclusion.host.ends_with(']'))
    exclusion.host = exclusion.host.substr(1, exclusion.host.size() - 2);
  return exclusion;
}

bool names_match(std::string_view pattern, std::string_view host) {
  if (pattern.starts_with("*.")) pattern.remove_prefix(1);
  if (pattern.starts_with('.')) return host.ends_with(pattern);
  return host == pattern || host.ends_with(fmt::format(".{}", pattern));
}

bool excludes(std::string_view entry, const Url& url) {
  if (entry == "*") return true;
  const auto address = IpAddress::parse(url.host);
  if (const auto range = IpRange::parse(entry)) return address && range->contains(*address);
  const Exclusion exclusion = split(entry);
  if (exclusion.host.empty()) return false;
  if (!exclusion.port.empty() && exclusion.port != std::to_string(url.port)) return false;
  if (const auto wanted = IpAddress::parse(exclusion.host)) return address == wanted;
  return !address && names_match(exclusion.host, url.host);
}

bool is_reached_directly(const std::string& exclude, const Url& url) {
  if (url.host == "localhost") return true;
  if (const auto address = IpAddress::parse(url.host); address && address->is_loopback())
    return true;
  const std::string list = base::ascii_lower(exclude);
  for (std::size_t begin = 0; begin <= list.size();) {
    const auto end = std::min(list.find(',', begin), list.size());
    const auto entry = trimmed(std::string_view(list).substr(begin, end - begin));
    if (!entry.empty() && excludes(entry, url)) return true;
    begin = end + 1;
  }
  return false;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const auto digit = [&](std::size_t at) -> int {
      if (at >= text.size()) return -1;
      const auto place = std::string_view("0123456789abcdef").find(base::ascii_lower(text)[at]);
      return place == std::string_view::npos ? -1 : static_cast<int>(place);
    };
    if (digit(i + 1) < 0 || digit(i + 2) < 0) return std::nullopt;
    out += static_cast<char>((digit(i + 1) << 4) | digit(i + 2));
    i += 2;
  }
  return out;
}

// "user:password", each with %XX
Result<base::Secret> basic_authorization(std::string_view text) {
  const auto colon = text.find(':');
  const auto user = percent_decoded(text.substr(0, colon));
  const auto password =
      percent_decoded(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  if (!user || !password) return Error(Kind::invalid, "its user or password has an invalid %XX");
  return base::Secret("Basic " + base::encode_base64(*user + ":" + *password));
}

Result<Proxy> parse_proxy(std::string_view text) {
  constexpr std::string_view kHttp = "http://";
  if (base::ascii_lower(text.substr(0, kHttp.size())) == kHttp) {
    text.remove_prefix(kHttp.size());
  } else if (text.contains("://")) {
    return Error(Kind::invalid, "only http:// proxies can be used");
  }
  Proxy proxy;
  text = text.substr(0, text.find_first_of("/?#"));  // a path has no meaning (as in Go)
  if (const auto at = text.rfind('@'); at != std::string_view::npos) {
    TRY(proxy.authorization, basic_authorization(text.substr(0, at)));
    text.remove_prefix(at + 1);
  }
  TRY(const Url url, parse_url(fmt::format("{}{}", kHttp, text)));
  proxy.host = url.host;
  proxy.port = url.port;
  return proxy;
}

}  // namespace

ProxySettings proxies_of(const std::function<std::string(const std::string&)>& environment) {
  const auto first_of = [&](const std::string& name) {
    const std::string value = environment(name);
    return value.empty() ? environment(base::ascii_lower(name)) : value;
  };
  const bool is_cgi = !environment("REQUEST_METHOD").empty();
  return {is_cgi ? environment("http_proxy") : first_of("HTTP_PROXY"),
          first_of("HTTPS_PROXY"),
          first_of("NO_PROXY")};
}

Result<std::optional<Proxy>> proxy_for(const ProxySettings& settings, const Url& url) {
  const std::string& text = url.tls ? settings.https : settings.http;
  if (text.empty() || is_reached_directly(settings.exclude, url)) return std::optional<Proxy>();
  auto proxy = parse_proxy(text);
  if (!proxy.ok()) return std::move(proxy).error().in(url.tls ? "HTTPS_PROXY" : "HTTP_PROXY");
  return std::optional<Proxy>(std::move(*proxy));
}

}  // namespace net::inline transport
