// SPDX-License-Identifier: Apache-2.0
#include "base/quote.h"

#include "base/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace base {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  append_escaped(out, text);
  return out;
}

TEST(Quote, ordinary_text_is_unchanged) {
  EXPECT_EQ(escaped("a/b-c 1 {x}"), "a/b-c 1 {x}");
  EXPECT_EQ(escaped("Universit\xC3\xA4t \xE2\x82\xAC"), "Universit\xC3\xA4t \xE2\x82\xAC");
}

TEST(Quote, escapes_what_breaks_a_string_a_line_or_a_terminal) {
  EXPECT_EQ(escaped("say \"hi\" \\"), "say \\\"hi\\\" \\\\");
  EXPECT_EQ(escaped("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(escaped(std::string_view("\0\x1B[31m\x7F", 7)), "\\u0000\\u001b[31m\\u007f");
  EXPECT_EQ(escaped("next\xC2\x85line"), "next\\u0085line");
  EXPECT_EQ(escaped("\xE2\x80\xA8 \xE2\x80\xA9"), "\\u2028 \\u2029");
  EXPECT_EQ(escaped("\xE2\x80\xAEtxt.exe"), "\\u202etxt.exe");
}

TEST(Quote, invalid_utf8_is_replaced) {
  EXPECT_EQ(escaped("a\xFFz"), "a\xEF\xBF\xBDz");
}

TEST(Quote, cuts_only_between_characters) {
  EXPECT_EQ(cut("abc", 3), "abc");
  EXPECT_EQ(cut("abcd", 3), "abc");
  EXPECT_EQ(cut("a\xE2\x82\xAC", 3), "a");
  EXPECT_EQ(cut("a\xE2\x82\xAC", 4), "a\xE2\x82\xAC");
  EXPECT_EQ(cut("abc", 0), "");
  // Not UTF-8 at all: it is still cut near the limit.
  EXPECT_EQ(cut(std::string(100, '\x80'), 50).size(), 47U);
}

TEST(Quote, a_long_input_is_shown_by_its_beginning) {
  EXPECT_EQ(quoted("2h"), "\"2h\"");
  EXPECT_EQ(quoted(""), "\"\"");
  EXPECT_EQ(quoted("abcdefgh", 4), "\"abcd\"... (8 bytes)");
}

RC_GTEST_PROP(Quote, any_input_becomes_one_valid_line, (const std::string& text)) {
  const std::string out = escaped(text);
  RC_ASSERT(is_utf8(out));
  RC_ASSERT(std::ranges::none_of(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }));
}

}  // namespace
}  // namespace base
