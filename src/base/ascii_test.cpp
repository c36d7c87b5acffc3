// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.h"

#include <gtest/gtest.h>

namespace base {
namespace {

TEST(Ascii, take_digits_removes_the_leading_digits) {
  std::string_view rest = "0129a7";
  EXPECT_EQ(take_digits(rest), "0129");
  EXPECT_EQ(rest, "a7");
  EXPECT_EQ(take_digits(rest), "");
  EXPECT_EQ(rest, "a7");
  rest = "\xD9\xA1";  // a digit, but not of ASCII
  EXPECT_EQ(take_digits(rest), "");
}

TEST(Ascii, only_a_to_z_are_converted_to_lower_case) {
  EXPECT_EQ(ascii_lower("AZaz09-\xC3\x84"), "azaz09-\xC3\x84");
}

}  // namespace
}  // namespace base
