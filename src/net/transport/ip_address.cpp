// SPDX-License-Identifier: Apache-2.0
#include "net/transport/ip_address.h"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <string>

namespace net::inline transport {
namespace {

constexpr std::size_t kV4Begins = 12;  // ::ffff:a.b.c.d
constexpr std::size_t kV4Bits = 32;
constexpr std::size_t kBits = 128;

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  const std::string terminated(text);
  IpAddress address;
  if (inet_pton(AF_INET6, terminated.c_str(), address.bytes_.data()) == 1) return address;
  if (inet_pton(AF_INET, terminated.c_str(), address.bytes_.data() + kV4Begins) != 1)
    return std::nullopt;
  address.bytes_[10] = address.bytes_[11] = 0xFF;
  return address;
}

bool IpAddress::is_v4() const {
  return std::ranges::all_of(bytes_.begin(), bytes_.begin() + 10, [](auto b) { return b == 0; }) &&
         bytes_[10] == 0xFF && bytes_[11] == 0xFF;
}

bool IpAddress::is_loopback() const {
  constexpr std::uint8_t kLoopbackNet = 127;
  static const IpAddress kLoopback = *parse("::1");
  return is_v4() ? bytes_[kV4Begins] == kLoopbackNet : *this == kLoopback;
}

std::optional<IpRange> IpRange::parse(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto address = IpAddress::parse(text.substr(0, slash));
  if (!address) return std::nullopt;
  const std::string_view number = text.substr(slash + 1);
  const char* end = number.data() + number.size();
  std::size_t bits = 0;
  const auto [stopped, failed] = std::from_chars(number.data(), end, bits);
  const bool written_as_v4 = !text.substr(0, slash).contains(':');
  if (failed != std::errc() || stopped != end || bits > (written_as_v4 ? kV4Bits : kBits))
    return std::nullopt;
  return IpRange(*address, written_as_v4 ? kBits - kV4Bits + bits : bits);
}

bool IpRange::contains(const IpAddress& address) const {
  if (address.is_v4() != address_.is_v4()) return false;
  const std::size_t whole = bits_ / 8;
  if (!std::equal(address_.bytes_.begin(),
                  address_.bytes_.begin() + static_cast<std::ptrdiff_t>(whole),
                  address.bytes_.begin()))
    return false;
  const std::size_t rest = bits_ % 8;
  if (rest == 0) return true;
  const unsigned difference = address_.bytes_.at(whole) ^ address.bytes_.at(whole);
  return difference >> (8 - rest) == 0;
}

}  // namespace net::inline transport
