// SPDX-License-Identifier: Apache-2.0
#include "net/http/request.h"

#include "base/quote.h"
#include "net/transport/connector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace net::http {
namespace {

using base::Error;
using base::Kind;
using base::Result;

bool is_target(std::string_view text) {
  return text.starts_with('/') &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c < 127; });
}

bool is_ours(std::string_view name) {
  constexpr std::array kOurs = {
      "Host", "Content-Length", "User-Agent", "Connection", "Transfer-Encoding"};
  return std::ranges::any_of(kOurs, [&](auto ours) { return is_same_name(name, ours); });
}

bool announces_length(const Request& request) {
  return !request.body.empty() || request.method == "POST" || request.method == "PUT" ||
         request.method == "PATCH";
}

Result<void> check(const Request& request) {
  if (!is_token(request.method))
    return Error(Kind::invalid,
                 fmt::format("{} is not an HTTP method", base::quoted(request.method)));
  if (!is_target(request.target))
    return Error(Kind::invalid, "the request's path does not begin with / or is not encoded");
  for (const Header& header : request.headers) {
    if (!is_token(header.name))
      return Error(Kind::invalid,
                   fmt::format("{} is not a header name", base::quoted(header.name)));
    if (!is_field_value(header.value))
      return Error(Kind::invalid,
                   fmt::format("the value of header {} has a control character", header.name));
    if (is_ours(header.name))
      return Error(Kind::invalid, fmt::format("header {} is set by the client", header.name));
  }
  return {};
}

}  // namespace

Result<std::string> encode(const Request& request,
                           std::string_view authority,
                           std::string_view user_agent,
                           const Forwarding* forwarded) {
  TRY_VOID(check(request));
  std::string bytes;
  const auto out = std::back_inserter(bytes);
  fmt::format_to(out,
                 "{} {}{} HTTP/1.1\r\nHost: {}\r\n",
                 request.method,
                 forwarded != nullptr ? forwarded->origin : "",
                 request.target,
                 authority);
  if (forwarded != nullptr && !forwarded->authorization.empty())
    fmt::format_to(out, "Proxy-Authorization: {}\r\n", forwarded->authorization.reveal());
  if (!user_agent.empty()) fmt::format_to(out, "User-Agent: {}\r\n", user_agent);
  for (const Header& header : request.headers)
    fmt::format_to(out, "{}: {}\r\n", header.name, header.value);
  if (announces_length(request)) fmt::format_to(out, "Content-Length: {}\r\n", request.body.size());
  bytes += "\r\n";
  bytes += request.body;
  return bytes;
}

}  // namespace net::http
