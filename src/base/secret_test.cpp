// SPDX-License-Identifier: Apache-2.0
#include "base/secret.h"

#include <gtest/gtest.h>

#include <sstream>
#include <type_traits>
#include <utility>

namespace base {
namespace {

TEST(Secret, only_reveal_shows_the_text) {
  static_assert(!std::is_convertible_v<std::string, Secret>);
  static_assert(!std::is_convertible_v<Secret, std::string>);
  static_assert(!std::is_convertible_v<Secret, std::string_view>);
  const Secret token("eyJhbGciOi");
  EXPECT_EQ(token.reveal(), "eyJhbGciOi");
  EXPECT_EQ(fmt::format("token {}", token), "token [secret]");
  std::ostringstream out;
  out << token;
  EXPECT_EQ(out.str(), "[secret]");
  EXPECT_EQ(testing::PrintToString(token), "[secret]");
}

TEST(Secret, wiping_zeroes_every_byte) {
  char bytes[] = {'k', 'e', 'y', '!'};
  wipe(std::span(bytes).first(3));
  EXPECT_EQ(std::string_view(bytes, 4), std::string_view("\0\0\0!", 4));
  wipe({});
}

TEST(Secret, taking_over_a_text_wipes_the_source) {
  for (const std::size_t length : {5U, 500U}) {  // small buffer and heap
    std::string source(length, 'k');
    const char* bytes = source.data();
    const Secret secret = Secret::consume(source);
    EXPECT_EQ(secret.reveal(), std::string(length, 'k'));
    EXPECT_TRUE(source.empty());
    EXPECT_EQ(source.data(), bytes);
    source.resize(length);  // resize writes zeroes itself; only a remaining 'k' would be wrong
    EXPECT_EQ(source.find('k'), std::string::npos);
  }
}

TEST(Secret, copies_and_moves_like_a_value) {
  Secret one("one");
  Secret copy = one;
  EXPECT_EQ(copy, one);
  Secret moved = std::move(one);
  EXPECT_EQ(moved.reveal(), "one");
  EXPECT_TRUE(one.empty());  // NOLINT: a moved-from secret is guaranteed to be empty
  copy = Secret("two");
  EXPECT_EQ(copy.reveal(), "two");
  copy = *&copy;
  EXPECT_EQ(copy.reveal(), "two");
}

TEST(Secret, compares_by_content) {
  EXPECT_EQ(Secret("abc"), Secret("abc"));
  EXPECT_NE(Secret("abc"), Secret("abd"));
  EXPECT_NE(Secret("abc"), Secret("abcd"));
  EXPECT_EQ(Secret(""), Secret());
  EXPECT_TRUE(Secret().empty());
}

}  // namespace
}  // namespace base
