// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// Letters and digits of ASCII, independent of the locale.
namespace base {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Removes the leading digits from `rest` and returns them; may be empty.
std::string_view take_digits(std::string_view& rest);

// Converts A to Z to lower case and leaves all other bytes unchanged.
std::string ascii_lower(std::string_view text);

}  // namespace base
