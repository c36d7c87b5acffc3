// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

// What stands at the front of a text. Where the bytes are no UTF-8 (overlong, surrogate, beyond
// U+10FFFF, cut off), code_point is U+FFFD and length is the longest run that could have begun a
// character, as Unicode recommends; never 0.
struct Utf8Step {
  char32_t code_point;
  std::size_t length;
  bool valid;
};

// Expects     a non-empty text.
Utf8Step decode_utf8(std::string_view text);

bool is_utf8(std::string_view text);

// The text with U+FFFD in place of everything that is no UTF-8. Valid text comes back untouched and
// without a copy; the result has at most three times the bytes.
std::string repair_utf8(std::string text);

// The longest front of the text that has at most `most` bytes and does not cut a character in two.
std::string_view utf8_front(std::string_view text, std::size_t most);

}  // namespace base
