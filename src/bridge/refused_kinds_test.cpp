// SPDX-License-Identifier: Apache-2.0
#include "bridge/refused_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge {
namespace {

using namespace std::chrono_literals;
using base::Error;
using base::Kind;
using ::testing::UnorderedElementsAre;

constexpr JobKind kKind{7};
constexpr JobKind kOther{8};
const kube::ObjectKey kFirst{"a", "first"};
const kube::ObjectKey kSecond{"a", "second"};
const base::Instant kNow = base::Instant() + 1h;

struct RefusedKindsTest : ::testing::Test {
  RefusedKindsTest() { refused.refused(kKind, kFirst, Error(Kind::refused, "no"), kNow + 60s); }
  bool asks(const kube::ObjectKey& who, base::Instant now) {
    return !refused.verdict(kKind, who, now);
  }
  RefusedKinds refused;
};

TEST_F(RefusedKindsTest, OnePodAsksForAllOnceAMinute) {
  EXPECT_FALSE(asks(kFirst, kNow + 59s));
  EXPECT_FALSE(asks(kSecond, kNow + 59s));
  EXPECT_TRUE(asks(kSecond, kNow + 60s));
  EXPECT_FALSE(asks(kFirst, kNow + 60s)) << "the second has asked for both";
  EXPECT_TRUE(asks(kFirst, kNow + 120s));
}

TEST_F(RefusedKindsTest, AnotherKindIsAnotherQuestion) {
  EXPECT_EQ(refused.verdict(kOther, kFirst, kNow), std::nullopt);
  EXPECT_EQ(refused.next_try(kOther), std::nullopt);
}

TEST_F(RefusedKindsTest, WhenOneIsTakenAllHearOfIt) {
  EXPECT_FALSE(asks(kSecond, kNow));
  EXPECT_THAT(refused.taken(kKind), UnorderedElementsAre(kFirst, kSecond));
  EXPECT_TRUE(asks(kFirst, kNow));
}

TEST_F(RefusedKindsTest, NothingIsKeptForPodsThatAreGone) {
  refused.forget(kKind, kFirst);
  EXPECT_EQ(refused.next_try(kKind), std::nullopt);
}

}  // namespace
}  // namespace bridge
