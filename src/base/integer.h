// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <charconv>
#include <concepts>
#include <limits>
#include <string_view>
#include <system_error>

namespace base {

Error not_an_integer(std::string_view text);
Error integer_out_of_range(std::string_view text, std::string_view least, std::string_view most);

// Parses strict base 10 as Go's strconv.ParseInt(text, 10, bits) does: an optional sign, then
// digits only; no spaces, no suffix, no 0x. A value that does not fit into T is an error.
template <std::integral T>
  requires(!std::same_as<T, bool>)
Result<T> parse_integer(std::string_view text) {
  std::string_view digits = text;
  // from_chars does not accept a plus sign; "+-1" stays an error.
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  T value{};
  const char* end = digits.data() + digits.size();
  const auto [stopped, problem] = std::from_chars(digits.data(), end, value);
  if (stopped != end || problem == std::errc::invalid_argument) return not_an_integer(text);
  if (problem == std::errc::result_out_of_range) {
    return integer_out_of_range(text,
                                std::to_string(std::numeric_limits<T>::min()),
                                std::to_string(std::numeric_limits<T>::max()));
  }
  return value;
}

}  // namespace base
