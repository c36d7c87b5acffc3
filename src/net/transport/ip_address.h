// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace net::inline transport {

// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address (::ffff:10.0.0.1) equals the IPv4 address.
class IpAddress {
 public:
  // Empty if the text is not an address; names are not resolved.
  static std::optional<IpAddress> parse(std::string_view text);

  bool is_loopback() const;
  bool is_v4() const;
  bool operator==(const IpAddress&) const = default;

 private:
  friend class IpRange;
  std::array<std::uint8_t, 16> bytes_{};
};

// "10.0.0.0/8", "fd00::/8"
class IpRange {
 public:
  static std::optional<IpRange> parse(std::string_view text);

  bool contains(const IpAddress& address) const;

 private:
  IpRange(IpAddress address, std::size_t bits) : address_(address), bits_(bits) {}

  IpAddress address_;
  std::size_t bits_;  // of 128, also for IPv4
};

}  // namespace net::inline transport
