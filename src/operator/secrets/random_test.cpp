// SPDX-License-Identifier: Apache-2.0
#include "operator/secrets/random.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace slurmop::secrets {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using ::testing::HasSubstr;
using ::testing::Not;

// Every byte value in turn.
FillRandom counting() {
  return [next = 0U](std::span<char> into) mutable -> Result<void> {
    for (char& c : into) c = static_cast<char>(next++ % 256U);
    return {};
  };
}

TEST(RandomBytes, HaveTheRequestedSizeAndDiffer) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{32}, std::size_t{1024}, kMostBytes}) {
    const auto bytes = random_bytes(size);
    ASSERT_TRUE(bytes.ok()) << bytes.error().message();
    EXPECT_EQ(bytes->reveal().size(), size);
  }
  const auto first = random_bytes(32);
  const auto second = random_bytes(32);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_FALSE(*first == *second);
}

TEST(RandomBytes, UseTheWholeRangeOfAByte) {
  const auto bytes = random_bytes(64UL << 10U);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(std::set<char>(bytes->reveal().begin(), bytes->reveal().end()).size(), 256U);
}

TEST(RandomBytes, RejectSizesThatNoSecretCanHave) {
  for (const std::size_t size : {std::size_t{0}, kMostBytes + 1}) {
    const auto bytes = random_bytes(size);
    ASSERT_FALSE(bytes.ok());
    EXPECT_TRUE(bytes.error().is(Kind::invalid));
    EXPECT_FALSE(random_password(size).ok());
  }
}

TEST(RandomPassword, HasLettersAndDigitsOnlyAndDiffers) {
  const auto first = random_password();
  const auto second = random_password();
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->reveal().size(), 32U);
  EXPECT_FALSE(*first == *second);
  EXPECT_TRUE(std::ranges::all_of(first->reveal(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }));
}

TEST(RandomPassword, TakesEachCharacterEquallyOften) {
  // 62 * 4 byte values are usable; each character comes from exactly four of them.
  const auto password = random_password(62UL * 4 * 10, counting());
  ASSERT_TRUE(password.ok());
  std::map<char, int> counts;
  for (const char c : password->reveal()) ++counts[c];
  EXPECT_EQ(counts.size(), 62U);
  for (const auto& [c, count] : counts) EXPECT_EQ(count, 40) << c;
}

TEST(Random, AFailingSourceIsAnErrorWithoutASecret) {
  std::string given;
  const FillRandom breaks = [&](std::span<char> into) -> Result<void> {
    std::ranges::fill(into, 'k');
    given.assign(into.begin(), into.end());
    return Error(Kind::internal, "the system has no random bytes: no device");
  };
  for (const auto& outcome : {random_bytes(16, breaks), random_password(16, breaks)}) {
    ASSERT_FALSE(outcome.ok());
    EXPECT_TRUE(outcome.error().is(Kind::internal));
    EXPECT_THAT(outcome.error().message(), Not(HasSubstr(given)));
  }
}

TEST(Random, ASecretIsNeverPrinted) {
  const auto password = random_password();
  ASSERT_TRUE(password.ok());
  EXPECT_EQ(fmt::format("{}", *password), "[secret]");
  std::ostringstream out;
  out << *password;
  EXPECT_EQ(out.str(), "[secret]");
}

}  // namespace
}  // namespace slurmop::secrets
