// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// Letters and digits of ASCII, whatever locale the process runs in.
namespace base {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes the digits off the front of a text; none is fine.
std::string_view take_digits(std::string_view& rest);

// A to Z in lower case, everything else as it is.
std::string ascii_lower(std::string_view text);

}  // namespace base
