// SPDX-License-Identifier: Apache-2.0
#include "base/quantity_text.h"

#include "base/ascii.h"
#include "base/integer.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace base {
namespace {

constexpr std::size_t kMaxText = 64;  // the longest exact quantity has 31 characters

struct NamedSuffix {
  std::string_view name;
  QuantitySuffix suffix;
};
using enum Quantity::Format;
constexpr NamedSuffix kSuffixes[] = {
    {"", {decimal_si, 0, 0}},
    {"m", {decimal_si, 0, -3}},
    {"k", {decimal_si, 0, 3}},
    {"M", {decimal_si, 0, 6}},
    {"G", {decimal_si, 0, 9}},
    {"T", {decimal_si, 0, 12}},
    {"P", {decimal_si, 0, 15}},
    {"E", {decimal_si, 0, 18}},
    {"u", {decimal_si, 0, -6}},
    {"n", {decimal_si, 0, -9}},
    {"Ki", {binary_si, 1, 0}},
    {"Mi", {binary_si, 2, 0}},
    {"Gi", {binary_si, 3, 0}},
    {"Ti", {binary_si, 4, 0}},
    {"Pi", {binary_si, 5, 0}},
    {"Ei", {binary_si, 6, 0}},
};

Error malformed(std::string_view text, std::string_view why) {
  return Error(
      Kind::invalid,
      fmt::format("quantity {}: {}; write a number with an optional suffix n u m k M G T P E "
                  "Ki Mi Gi Ti Pi Ei or exponent, like \"500m\", \"1.5Gi\" or \"2e3\"",
                  quoted(text),
                  why));
}

std::optional<QuantitySuffix> suffix_of(std::string_view text) {
  for (const NamedSuffix& known : kSuffixes) {
    if (known.name == text) return known.suffix;
  }
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  const Result<std::int32_t> exponent = parse_integer<std::int32_t>(text.substr(1));
  if (!exponent) return std::nullopt;
  return QuantitySuffix{decimal_exponent, 0, *exponent};
}

// Multiplies by 1024 on the decimal digits, so that any number of fraction digits stays exact.
void multiply_by_1024(std::string& digits, std::int64_t& point) {
  unsigned carry = 0;
  for (std::size_t at = digits.size(); at-- > 0;) {
    carry += static_cast<unsigned>(digits[at] - '0') * 1024;
    digits[at] = static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  for (; carry != 0; carry /= 10, ++point) digits.insert(0, 1, static_cast<char>('0' + carry % 10));
}

}  // namespace

Result<QuantityText> split_quantity(std::string_view text) {
  if (text.size() > kMaxText) return malformed(text, "too long");
  QuantityText parts;
  std::string_view rest = text;
  parts.negative = rest.starts_with('-');
  if (parts.negative || rest.starts_with('+')) rest.remove_prefix(1);
  parts.whole = take_digits(rest);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    parts.fraction = take_digits(rest);
  }
  if (parts.whole.empty() && parts.fraction.empty()) return malformed(text, "no number");
  const std::optional<QuantitySuffix> suffix = suffix_of(rest);
  if (!suffix) return malformed(text, fmt::format("unknown suffix {}", quoted(rest)));
  parts.suffix = *suffix;
  return parts;
}

std::optional<Nanos> nanos_of(const QuantityText& parts) {
  constexpr Nanos kFar = Nanos{1} << 100;
  std::string digits = fmt::format("{}{}", parts.whole, parts.fraction);
  auto point = static_cast<std::int64_t>(parts.whole.size());
  for (int i = 0; i < parts.suffix.powers_of_1024; ++i) multiply_by_1024(digits, point);

  const std::size_t zeros = digits.find_first_not_of('0');
  if (zeros == std::string::npos) return 0;
  digits.erase(0, zeros);
  // Digits [0, wanted) are whole billionths; the rest only decides the rounding.
  const std::int64_t wanted = point - static_cast<std::int64_t>(zeros) + parts.suffix.exponent + 9;
  const auto length = static_cast<std::int64_t>(digits.size());
  Nanos nanos = 0;
  for (std::int64_t at = 0; at < wanted; ++at) {
    nanos = nanos * 10 + (at < length ? digits[static_cast<std::size_t>(at)] - '0' : 0);
    if (nanos > kFar) return std::nullopt;
  }
  const auto rest = static_cast<std::size_t>(std::max<std::int64_t>(wanted, 0));
  if (rest < digits.size() && digits.find_first_not_of('0', rest) != std::string::npos) ++nanos;
  return parts.negative ? -nanos : nanos;
}

}  // namespace base
