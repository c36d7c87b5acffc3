// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>

// How Quantity reads its text; nobody else includes this.
namespace base {

__extension__ typedef __int128 Nanos;  // billionths; Quantity's range takes 94 bits

struct QuantitySuffix {
  Quantity::Format format = Quantity::Format::decimal_si;
  int powers_of_1024 = 0;
  std::int32_t exponent = 0;  // of 10
};

struct QuantityText {
  bool negative = false;
  std::string_view whole;     // digits, one of both may be empty
  std::string_view fraction;  // digits
  QuantitySuffix suffix;
};

Result<QuantityText> split_quantity(std::string_view text);

// Rounded away from zero; nothing where it exceeds 2^63 units by far.
std::optional<Nanos> nanos_of(const QuantityText& parts);

}  // namespace base
