// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>

// Parsing of Quantity. Private: only quantity*.cpp include this.
namespace base {

__extension__ typedef __int128 Nanos;  // billionths; the range of Quantity needs 94 bits

struct QuantitySuffix {
  Quantity::Format format = Quantity::Format::decimal_si;
  int powers_of_1024 = 0;
  std::int32_t exponent = 0;  // of 10
};

struct QuantityText {
  bool negative = false;
  std::string_view whole;     // digits; whole or fraction may be empty
  std::string_view fraction;  // digits
  QuantitySuffix suffix;
};

Result<QuantityText> split_quantity(std::string_view text);

// Rounded away from zero; empty if far above 2^63 units.
std::optional<Nanos> nanos_of(const QuantityText& parts);

}  // namespace base
