// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace base {

// An amount of a resource as Kubernetes writes it: "100m", "1.5Gi", "2e3".
//
// Guarantees  exact from one billionth up to the range of int64. Finer amounts are rounded away
//             from zero, as Kubernetes does; larger amounts are an error (Kubernetes limits them,
//             or returns 0).
class Quantity {
 public:
  // The format in which the amount was written, which is kept for printing. Comparisons ignore it.
  enum class Format : std::uint8_t { decimal_si, binary_si, decimal_exponent };

  constexpr Quantity() = default;
  static constexpr Quantity units(std::int64_t count, Format format = Format::decimal_si) {
    return {count, 0, format};
  }
  static Quantity milli(std::int64_t count);
  static Result<Quantity> parse(std::string_view text);

  // Whole units, rounded away from zero: 500m returns 1.
  std::int64_t value() const;
  // Thousandths, rounded away from zero. An error from 9.2e15 units on.
  Result<std::int64_t> milli_value() const;

  constexpr bool is_zero() const { return units_ == 0 && nanos_ == 0; }
  constexpr bool is_negative() const { return units_ < 0; }

  // The result has the format of this amount, or of the other one if this amount is zero.
  Result<Quantity> plus(const Quantity& other) const;
  Result<Quantity> minus(const Quantity& other) const;
  Result<Quantity> times(std::int64_t factor) const;

  // Kubernetes' canonical text: no fraction, with the largest suffix that allows this.
  std::string to_string() const;

  friend constexpr bool operator==(const Quantity& a, const Quantity& b) {
    return a.units_ == b.units_ && a.nanos_ == b.nanos_;
  }
  friend constexpr std::strong_ordering operator<=>(const Quantity& a, const Quantity& b) {
    const auto by_units = a.units_ <=> b.units_;
    return by_units != 0 ? by_units : a.nanos_ <=> b.nanos_;
  }

 private:
  struct Exact;

  constexpr Quantity(std::int64_t units, std::int32_t nanos, Format format)
      : units_(units), nanos_(nanos), format_(format) {}

  // The amount is units_ + nanos_ / 1e9 with 0 <= nanos_ < 1e9, also for negative amounts (-0.5 is
  // -1 + 0.5).
  std::int64_t units_ = 0;
  std::int32_t nanos_ = 0;
  Format format_ = Format::decimal_si;
};

}  // namespace base
