// SPDX-License-Identifier: Apache-2.0
#include "base/quantity.h"

#include "base/quantity_text.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace base {

// The amount as one integer in billionths. Every int64 fits, with room for a sum.
struct Quantity::Exact {
  static constexpr Nanos kPerUnit = 1'000'000'000;
  static constexpr Nanos kLeast = std::numeric_limits<std::int64_t>::min() * kPerUnit;
  static constexpr Nanos kMost = std::numeric_limits<std::int64_t>::max() * kPerUnit;

  static Nanos of(const Quantity& quantity) { return quantity.units_ * kPerUnit + quantity.nanos_; }

  static bool fits(Nanos nanos) { return nanos >= kLeast && nanos <= kMost; }

  static Quantity make(Nanos nanos, Format format) {
    Nanos units = nanos / kPerUnit;
    Nanos rest = nanos % kPerUnit;
    if (rest < 0) {
      rest += kPerUnit;
      units -= 1;
    }
    return {static_cast<std::int64_t>(units), static_cast<std::int32_t>(rest), format};
  }
};

namespace {

Nanos divided_away_from_zero(Nanos dividend, Nanos divisor) {
  const Nanos quotient = dividend / divisor;
  if (dividend % divisor == 0) return quotient;
  return dividend < 0 ? quotient - 1 : quotient + 1;
}

std::string decimal_text(Nanos nanos, Quantity::Format format) {
  constexpr std::array<std::string_view, 10> kSuffixes = {
      "n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  int exponent = -9;
  while (exponent < 18 && nanos % 1000 == 0) {
    nanos /= 1000;
    exponent += 3;
  }
  if (format == Quantity::Format::decimal_exponent) {
    return exponent == 0 ? fmt::format("{}", nanos) : fmt::format("{}e{}", nanos, exponent);
  }
  return fmt::format("{}{}", nanos, kSuffixes[static_cast<std::size_t>(exponent + 9) / 3]);
}

std::string binary_text(std::int64_t units) {
  constexpr std::array<std::string_view, 7> kSuffixes = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  std::size_t power = 0;
  while (power + 1 < kSuffixes.size() && units % 1024 == 0) {
    units /= 1024;
    ++power;
  }
  return fmt::format("{}{}", units, kSuffixes[power]);
}

Error too_large(std::string_view what) {
  return Error(Kind::invalid,
               fmt::format("{} is beyond 9223372036854775807 units; write less", what));
}

}  // namespace

Quantity Quantity::milli(std::int64_t count) {
  return Exact::make(Nanos{count} * (Exact::kPerUnit / 1000), Format::decimal_si);
}

Result<Quantity> Quantity::parse(std::string_view text) {
  TRY(const QuantityText parts, split_quantity(text));
  const std::optional<Nanos> nanos = nanos_of(parts);
  if (!nanos || !Exact::fits(*nanos)) return too_large(fmt::format("quantity {}", quoted(text)));
  return Exact::make(*nanos, parts.suffix.format);
}

std::int64_t Quantity::value() const {
  // The stored value is rounded down, which for negative amounts is away from zero already.
  return units_ >= 0 && nanos_ > 0 ? units_ + 1 : units_;
}

Result<std::int64_t> Quantity::milli_value() const {
  const Nanos milli = divided_away_from_zero(Exact::of(*this), Exact::kPerUnit / 1000);
  if (milli < std::numeric_limits<std::int64_t>::min() ||
      milli > std::numeric_limits<std::int64_t>::max()) {
    return too_large(fmt::format("a thousand times {}", to_string()));
  }
  return static_cast<std::int64_t>(milli);
}

Result<Quantity> Quantity::plus(const Quantity& other) const {
  const Nanos sum = Exact::of(*this) + Exact::of(other);
  if (!Exact::fits(sum)) return too_large(fmt::format("{} + {}", to_string(), other.to_string()));
  return Exact::make(sum, is_zero() ? other.format_ : format_);
}

Result<Quantity> Quantity::minus(const Quantity& other) const {
  const Nanos rest = Exact::of(*this) - Exact::of(other);
  if (!Exact::fits(rest)) return too_large(fmt::format("{} - {}", to_string(), other.to_string()));
  return Exact::make(rest, is_zero() ? other.format_ : format_);
}

Result<Quantity> Quantity::times(std::int64_t factor) const {
  Nanos product = 0;
  if (__builtin_mul_overflow(Exact::of(*this), Nanos{factor}, &product) || !Exact::fits(product)) {
    return too_large(fmt::format("{} * {}", to_string(), factor));
  }
  return Exact::make(product, format_);
}

std::string Quantity::to_string() const {
  if (is_zero()) return "0";
  const bool is_whole = nanos_ == 0;
  const bool is_small = *this > units(-1024) && *this < units(1024);
  if (format_ == Format::binary_si && is_whole && !is_small) return binary_text(units_);
  return decimal_text(Exact::of(*this), format_);
}

}  // namespace base
