// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/jwt.h"

#include "base/utf8.h"
#include "slurm/testing/hs256.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace slurm::inline client {
namespace {

using base::Secret;

const base::WallTime kNow{std::chrono::seconds(1'700'000'000)};
const Secret kKey("0123456789abcdef0123456789abcdef");

TEST(Mint, IsWhatPythonSigns) {
  const auto token = slurm::testing::mint(kKey, "slurm", std::chrono::hours(1), kNow);
  ASSERT_TRUE(token.ok());
  EXPECT_EQ(token->reveal(),
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
            "eyJleHAiOjE3MDAwMDM2MDAsImlhdCI6MTcwMDAwMDAwMCwic3VuIjoic2x1cm0ifQ."
            "taAFOIe0MUsezTtSek3vStKylbiJwNl7RCgCdzg-Ab0");
}

TEST(Mint, NeedsAKey) {
  EXPECT_FALSE(slurm::testing::mint(Secret(), "slurm", std::chrono::hours(1), kNow).ok());
}

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

// A key of arbitrary bytes, and a key longer than the block of SHA-256, which is hashed first.
TEST(Mint, IsWhatPythonSignsWithAnyKey) {
  std::string bytes;
  for (char c = 0; c < 32; ++c) bytes += c;
  EXPECT_EQ(slurm::testing::mint(Secret(bytes), "root", std::chrono::minutes(10), kNow)->reveal(),
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE3MDAwMDA2MDAsImlhdCI6MTcwMDAwMDA"
            "wMCwic3VuIjoicm9vdCJ9.5qQDZ-e3l6S75jTj5jjE13H9cahsx4YozhUIAcdRUWE");
  EXPECT_EQ(slurm::testing::mint(
                Secret(std::string(131, 'k')), "jos\u00e9", std::chrono::minutes(10), kNow)
                ->reveal(),
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE3MDAwMDA2MDAsImlhdCI6MTcwMDAwMDA"
            "wMCwic3VuIjoiam9zw6kifQ.hu6iAoXOgFuYzq_EVp_jTxg2-Opu1m-UScVQc4WrBFE");
}

RC_GTEST_PROP(Mint, IsReadAsTheUserItWasMintedFor, (const std::string& user)) {
  const auto lifetime = std::chrono::seconds(*rc::gen::inRange(0, 1'000'000));
  const auto read = claims(*slurm::testing::mint(kKey, user, lifetime, kNow));
  RC_ASSERT(read.ok());
  RC_ASSERT(read->user == base::repair_utf8(user));
  RC_ASSERT(read->expires == kNow + lifetime);
}

}  // namespace
}  // namespace slurm::inline client
