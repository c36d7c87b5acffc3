// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/mint_token.h"

#include "base/utf8.h"
#include "slurm/client/jwt.h"
#include "slurm/client/token.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace slurm::inline client {
namespace {

using base::Kind;
using base::Secret;
using std::chrono::minutes;

const base::WallTime kNow{std::chrono::seconds(1'700'000'000)};
const Secret kKey("0123456789abcdef0123456789abcdef");
const Secret kOther("another key");

TEST(MintToken, IsWhatPythonSigns) {
  const auto token = mint_token(kKey, "slurm", std::chrono::hours(1), kNow);
  ASSERT_TRUE(token.ok());
  EXPECT_EQ(token->reveal(),
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
            "eyJleHAiOjE3MDAwMDM2MDAsImlhdCI6MTcwMDAwMDAwMCwic3VuIjoic2x1cm0ifQ."
            "taAFOIe0MUsezTtSek3vStKylbiJwNl7RCgCdzg-Ab0");
}

// A key of arbitrary bytes, and a key longer than the block of SHA-256, which is hashed first.
TEST(MintToken, IsWhatPythonSignsWithAnyKey) {
  std::string bytes;
  for (char c = 0; c < 32; ++c) bytes += c;
  EXPECT_EQ(mint_token(Secret(bytes), "root", std::chrono::minutes(10), kNow)->reveal(),
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE3MDAwMDA2MDAsImlhdCI6MTcwMDAwMDA"
            "wMCwic3VuIjoicm9vdCJ9.5qQDZ-e3l6S75jTj5jjE13H9cahsx4YozhUIAcdRUWE");
  EXPECT_EQ(mint_token(Secret(std::string(131, 'k')), "jos\u00e9", std::chrono::minutes(10), kNow)
                ->reveal(),
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE3MDAwMDA2MDAsImlhdCI6MTcwMDAwMDA"
            "wMCwic3VuIjoiam9zw6kifQ.hu6iAoXOgFuYzq_EVp_jTxg2-Opu1m-UScVQc4WrBFE");
}

TEST(MintToken, NeedsAKey) {
  EXPECT_FALSE(mint_token(Secret(), "slurm", std::chrono::hours(1), kNow).ok());
}

RC_GTEST_PROP(MintToken, IsReadAsTheUserItWasMintedFor, (const std::string& user)) {
  const auto lifetime = std::chrono::seconds(*rc::gen::inRange(0, 1'000'000));
  const auto read = claims(*mint_token(kKey, user, lifetime, kNow));
  RC_ASSERT(read.ok());
  RC_ASSERT(read->user == base::repair_utf8(user));
  RC_ASSERT(read->expires == kNow + lifetime);
}

TEST(TokenMint, KeepsATokenForHalfOfItsLifetime) {
  base::VirtualClock clock(kNow);
  TokenMint mint(kKey, "slurm", minutes(10), clock);
  const Secret first = *mint.token();
  EXPECT_EQ(first, *mint_token(kKey, "slurm", minutes(10), kNow));
  clock.set_wall(kNow + minutes(5));
  EXPECT_EQ(*mint.token(), first);
  clock.set_wall(kNow + minutes(5) + std::chrono::seconds(1));
  EXPECT_EQ(claims(*mint.token())->expires, clock.wall() + minutes(10));
}

TEST(TokenMint, MintsAgainIfCalendarTimeWasSetBack) {
  base::VirtualClock clock(kNow);
  TokenMint mint(kKey, "slurm", minutes(10), clock);
  const Secret first = *mint.token();
  clock.set_wall(kNow - minutes(1));
  EXPECT_NE(*mint.token(), first);
}

TEST(TokenMint, UsesANewKeyAtOnce) {
  base::VirtualClock clock(kNow);
  TokenMint mint(kKey, "slurm", minutes(10), clock);
  ASSERT_TRUE(mint.token().ok());
  mint.set_key(kOther);
  EXPECT_EQ(*mint.token(), *mint_token(kOther, "slurm", minutes(10), kNow));
}

TEST(TokenMint, MintsAgainAfterARejection) {
  base::VirtualClock clock(kNow);
  TokenMint mint(kKey, "slurm", minutes(10), clock);
  ASSERT_TRUE(mint.token().ok());
  clock.set_wall(kNow + minutes(1));
  mint.refused();
  EXPECT_EQ(claims(*mint.token())->expires, clock.wall() + minutes(10));
}

TEST(TokenMint, WithoutAKeyThereIsNoToken) {
  base::VirtualClock clock(kNow);
  TokenMint mint(Secret(), "slurm", minutes(10), clock);
  EXPECT_TRUE(mint.token().error().is(Kind::unauthorized));
  mint.set_key(kKey);
  EXPECT_TRUE(mint.token().ok());
}

TEST(TokenSource, MintsWithAKeyThatCanBeReplaced) {
  base::VirtualClock clock(kNow);
  TokenSource source = TokenSource::minted(TokenMint(kKey, "slurm", minutes(10), clock));
  EXPECT_EQ(*source.token(), *mint_token(kKey, "slurm", minutes(10), kNow));
  source.set_key(kOther);
  EXPECT_EQ(*source.token(), *mint_token(kOther, "slurm", minutes(10), kNow));
}

}  // namespace
}  // namespace slurm::inline client
