// SPDX-License-Identifier: Apache-2.0
#include "base/integer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

namespace base {
namespace {

TEST(Integer, reads_the_whole_range_of_its_type) {
  EXPECT_EQ(*parse_integer<int>("120"), 120);
  EXPECT_EQ(*parse_integer<int>("+7"), 7);
  EXPECT_EQ(*parse_integer<int>("-2147483648"), INT32_MIN);
  EXPECT_EQ(*parse_integer<std::uint32_t>("4294967295"), UINT32_MAX);
  EXPECT_EQ(*parse_integer<std::int64_t>("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(*parse_integer<int>("007"), 7);
}

TEST(Integer, rejects_everything_else) {
  for (const char* text :
       {"", "-", "+", "+-1", "-+1", "--1", " 1", "1 ", "1m", "0x10", "1.0", "2h"}) {
    EXPECT_FALSE(parse_integer<int>(text).ok()) << text;
  }
  EXPECT_FALSE(parse_integer<std::uint32_t>("-1").ok());
  EXPECT_FALSE(parse_integer<int>(std::string_view("1\0", 2)).ok());
}

TEST(Integer, an_error_names_the_problem_and_the_fix) {
  EXPECT_EQ(parse_integer<int>("2h").error().message(),
            "\"2h\" is not a whole number; write digits only, like \"120\"");
  EXPECT_EQ(parse_integer<std::int8_t>("128").error().message(),
            "\"128\" is out of range; write a number from -128 to 127");
  EXPECT_TRUE(parse_integer<int>("2147483648").error().is(Kind::invalid));
}

RC_GTEST_PROP(Integer, reads_what_is_written, (std::int64_t number)) {
  RC_ASSERT(*parse_integer<std::int64_t>(std::to_string(number)) == number);
  const bool fits = std::in_range<std::int32_t>(number);
  RC_ASSERT(parse_integer<std::int32_t>(std::to_string(number)).ok() == fits);
}

RC_GTEST_PROP(Integer, accepts_only_a_sign_and_digits, (const std::string& any)) {
  if (!parse_integer<std::int64_t>(any).ok()) return;
  const std::size_t sign = any.starts_with('-') || any.starts_with('+') ? 1 : 0;
  RC_ASSERT(any.size() > sign);
  RC_ASSERT(any.find_first_not_of("0123456789", sign) == std::string::npos);
}

}  // namespace
}  // namespace base
