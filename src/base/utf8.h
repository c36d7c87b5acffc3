// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

// The first character of a text. For invalid UTF-8 (overlong, surrogate, above U+10FFFF,
// incomplete), code_point is U+FFFD and length is the longest prefix that could have begun a
// character, as Unicode recommends; never 0.
struct Utf8Step {
  char32_t code_point;
  std::size_t length;
  bool valid;
};

// Expects     a non-empty text.
Utf8Step decode_utf8(std::string_view text);

bool is_utf8(std::string_view text);

// Returns the text with U+FFFD in place of invalid bytes. Valid text is returned unchanged and
// without a copy; the result has at most three times the bytes.
std::string repair_utf8(std::string text);

// Returns the longest prefix that has at most `most` bytes and ends between two characters.
std::string_view utf8_front(std::string_view text, std::size_t most);

}  // namespace base
