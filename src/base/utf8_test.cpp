// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace base {
namespace {

const std::string kReplacement = "\xEF\xBF\xBD";

TEST(Utf8, accepts_every_length_of_character) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("plain"));
  EXPECT_TRUE(is_utf8("\xC2\x80 \xDF\xBF"));
  EXPECT_TRUE(is_utf8("\xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBF"));
  EXPECT_TRUE(is_utf8("\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"));
  EXPECT_TRUE(is_utf8(std::string("\0", 1)));
}

TEST(Utf8, replaces_invalid_bytes) {
  struct Row {
    std::string cause;
    std::string text;
    std::string want;
  };
  const std::string& r = kReplacement;
  const Row rows[] = {
      {"stray continuation", "a\x80z", "a" + r + "z"},
      {"byte that never occurs", "a\xFFz", "a" + r + "z"},
      {"latin-1", "Universit\xE9 X", "Universit" + r + " X"},
      {"overlong slash", "\xC0\xAF", r + r},
      {"overlong in three bytes", "\xE0\x80\xAF", r + r + r},
      {"surrogate", "\xED\xA0\x80", r + r + r},
      {"beyond U+10FFFF", "\xF4\x90\x80\x80", r + r + r + r},
      {"cut off at the end", "a\xF0\x9F\x98", "a" + r},
      {"cut off, then ASCII", "\xE2\x82z", r + "z"},
      {"cut off, then a character", "\xE2\x82\xC3\xA9", r + "\xC3\xA9"},
  };
  for (const Row& row : rows) {
    EXPECT_FALSE(is_utf8(row.text)) << row.cause;
    EXPECT_EQ(repair_utf8(row.text), row.want) << row.cause;
  }
}

TEST(Utf8, finds_an_invalid_byte_at_any_position) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string text(40, 'x');
    text[at] = '\x9F';
    EXPECT_FALSE(is_utf8(text)) << at;
    EXPECT_EQ(repair_utf8(text), std::string(at, 'x') + kReplacement + std::string(39 - at, 'x'));
  }
}

TEST(Utf8, decodes_the_front_character) {
  const Utf8Step euro = decode_utf8("\xE2\x82\xACz");
  EXPECT_TRUE(euro.valid);
  EXPECT_EQ(euro.length, 3U);
  EXPECT_EQ(euro.code_point, U'\u20AC');
  EXPECT_EQ(decode_utf8("\xF0\x9F\x98\x80").code_point, U'\U0001F600');
}

RC_GTEST_PROP(Utf8, repaired_text_is_valid_and_repairing_again_changes_nothing, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::arbitrary<char>(),
                     rc::gen::elementOf(std::string("\xE2\x82\xAC\xF0\x9F\x98\x80\xED\xC2"))));
  const std::string once = repair_utf8(text);
  RC_ASSERT(is_utf8(once));
  RC_ASSERT(repair_utf8(once) == once);
  RC_ASSERT(is_utf8(text) == (once == text));
}

TEST(Utf8Front, CutsBetweenCharactersOnly) {
  const std::string text = "a\u00e4\u20ac\U0001f600";  // 1, 2, 3 and 4 bytes
  const std::size_t want[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (std::size_t most = 0; most < std::size(want); ++most) {
    EXPECT_EQ(utf8_front(text, most).size(), want[most]) << most;
    EXPECT_TRUE(is_utf8(utf8_front(text, most))) << most;
  }
}

TEST(Utf8Front, InvalidUtf8IsCutNearTheLimit) {
  const std::string text(100, '\x80');
  EXPECT_GE(utf8_front(text, 50).size(), 47U);
  EXPECT_LE(utf8_front(text, 50).size(), 50U);
}

}  // namespace
}  // namespace base
