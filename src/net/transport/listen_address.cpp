// SPDX-License-Identifier: Apache-2.0
#include "base/quote.h"
#include "net/transport/acceptor.h"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <charconv>

namespace net::inline transport {
namespace {

using base::Error;
using base::Kind;
using base::Result;

bool is_address(int family, const std::string& text) {
  in6_addr address{};
  return inet_pton(family, text.c_str(), &address) == 1;
}

Result<std::string> host_of(std::string_view text) {
  if (text.empty()) return std::string();
  if (text == "localhost") return std::string("127.0.0.1");
  if (text.starts_with('[') && text.ends_with(']')) {
    std::string host(text.substr(1, text.size() - 2));
    if (is_address(AF_INET6, host)) return host;
  } else if (std::string host(text); is_address(AF_INET, host)) {
    return host;
  }
  return Error(Kind::invalid, "the host is not an address; write for example 127.0.0.1:8080");
}

Result<ListenAddress> parse(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos)
    return Error(Kind::invalid, "a port is missing; write for example :8080");
  ListenAddress address;
  TRY(address.host, host_of(text.substr(0, colon)));
  const std::string_view port = text.substr(colon + 1);
  const char* end = port.data() + port.size();
  const auto [stopped, failed] = std::from_chars(port.data(), end, address.port);
  if (failed != std::errc() || stopped != end)
    return Error(Kind::invalid, "the port is not a number from 0 to 65535");
  return address;
}

}  // namespace

Result<ListenAddress> parse_listen_address(std::string_view text) {
  auto address = parse(text);
  if (!address.ok())
    return std::move(address).error().in(fmt::format("address {}", base::quoted(text)));
  return address;
}

}  // namespace net::inline transport
