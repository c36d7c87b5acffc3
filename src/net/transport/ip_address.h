// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace net::inline transport {

// An address of IPv4 or IPv6. An IPv4 address that is written as an IPv6 one (::ffff:10.0.0.1) is
// the same address.
class IpAddress {
 public:
  // Nothing if the text is no address; names are not looked up.
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
