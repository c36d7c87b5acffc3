// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/jwt.h"

#include "slurm/testing/hs256.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline client {
namespace {

using base::Secret;

const base::WallTime kNow{std::chrono::seconds(1'700'000'000)};
const Secret kKey("0123456789abcdef0123456789abcdef");

TEST(TokenClaims, AreThoseThatWereMinted) {
  const auto read = claims(*slurm::testing::mint(kKey, "alice", std::chrono::minutes(10), kNow));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->user, "alice");
  EXPECT_EQ(read->expires, kNow + std::chrono::minutes(10));
}

TEST(TokenClaims, OfATokenWithoutExpiryHaveNone) {
  // {"username":"bob"}
  const auto read = claims(Secret("x.eyJ1c2VybmFtZSI6ImJvYiJ9.y"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->user, "bob");
  EXPECT_EQ(read->expires, std::nullopt);
}

TEST(TokenClaims, OfSomethingElseAreAnErrorThatDoesNotRepeatIt) {
  for (const char* text : {"", "hunter2", "a.b", "a.!!.c", "a.aHVudGVyMg.c", "a.W10.c", ".."}) {
    const auto read = claims(Secret(text));
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_THAT(read.error().message(), ::testing::Not(::testing::HasSubstr("hunter2")));
  }
}

}  // namespace
}  // namespace slurm::inline client
