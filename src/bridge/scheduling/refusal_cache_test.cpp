// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/refusal_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using namespace std::chrono_literals;
using base::Error;
using base::Kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr RequestShape kShape{7};
constexpr RequestShape kOther{8};
const kube::ObjectKey kFirst{"a", "first"};
const kube::ObjectKey kSecond{"a", "second"};
const base::Instant kNow = base::Instant() + 1h;

struct RefusalCacheTest : ::testing::Test {
  RefusalCacheTest() { refused.refused(kShape, kFirst, Error(Kind::refused, "no"), kNow + 60s); }
  bool asks(const kube::ObjectKey& who, base::Instant now) {
    return !refused.verdict(kShape, who, now);
  }
  RefusalCache refused;
};

TEST_F(RefusalCacheTest, OnePodOfAShapeRetriesPerMinute) {
  EXPECT_FALSE(asks(kFirst, kNow + 59s));
  EXPECT_FALSE(asks(kSecond, kNow + 59s));
  EXPECT_TRUE(asks(kSecond, kNow + 60s));
  EXPECT_FALSE(asks(kFirst, kNow + 60s)) << "the second pod has the attempt";
  EXPECT_TRUE(asks(kFirst, kNow + 120s));
}

TEST_F(RefusalCacheTest, ARefusalDoesNotApplyToAnotherShape) {
  EXPECT_EQ(refused.verdict(kOther, kFirst, kNow), std::nullopt);
  EXPECT_EQ(refused.next_try(kOther), std::nullopt);
}

TEST_F(RefusalCacheTest, PeekDoesNotAssignTheAttempt) {
  EXPECT_TRUE(refused.peek(kShape, kSecond, kNow + 59s));
  EXPECT_FALSE(refused.peek(kShape, kSecond, kNow + 60s));
  EXPECT_TRUE(asks(kSecond, kNow + 60s)) << "peek did not use the attempt";
  EXPECT_TRUE(refused.peek(kShape, kFirst, kNow + 60s));
  EXPECT_FALSE(refused.peek(kOther, kFirst, kNow));
}

// Otherwise a lost answer would delay all pods of the shape by the maximum time of an attempt.
TEST_F(RefusalCacheTest, AfterAnAttemptWithoutADecisionAnotherPodRetriesSoon) {
  EXPECT_TRUE(asks(kFirst, kNow + 60s));
  EXPECT_FALSE(asks(kSecond, kNow + 62s));
  refused.no_answer(kShape, kNow + 62s);
  EXPECT_FALSE(asks(kSecond, kNow + 62s)) << "one second must pass first";
  EXPECT_TRUE(asks(kSecond, kNow + 63s));
}

kube::ObjectKey numbered(int number) {
  return {"a", std::string(1, static_cast<char>('z' - number))};
}

TEST_F(RefusalCacheTest, AfterEachAcceptedJobTwoMorePodsSubmitInOrderOfArrival) {
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(asks(numbered(i), kNow));
  EXPECT_THAT(refused.taken(kShape, kFirst), ElementsAre(numbered(0), numbered(1)));
  EXPECT_FALSE(asks(numbered(2), kNow)) << "two earlier pods may submit first";
  EXPECT_FALSE(refused.peek(kShape, numbered(0), kNow));
  EXPECT_TRUE(asks(numbered(0), kNow));
  EXPECT_TRUE(asks(numbered(1), kNow));
  EXPECT_THAT(refused.taken(kShape, numbered(1)), ElementsAre(numbered(2), numbered(3)));
  EXPECT_THAT(refused.taken(kShape, numbered(0)), ElementsAre(numbered(4)));
  for (const int last : {2, 3, 4}) EXPECT_THAT(refused.taken(kShape, numbered(last)), IsEmpty());
  EXPECT_EQ(refused.next_try(kShape), std::nullopt) << "no pod of the shape is left";
}

TEST_F(RefusalCacheTest, APodThatIsRefusedAgainKeepsItsPosition) {
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(asks(numbered(i), kNow));
  EXPECT_THAT(refused.taken(kShape, kFirst), ElementsAre(numbered(0), numbered(1)));
  for (const int i : {1, 0}) {
    EXPECT_TRUE(asks(numbered(i), kNow));
    refused.refused(kShape, numbered(i), Error(Kind::refused, "no"), kNow + 60s);
  }
  EXPECT_FALSE(asks(numbered(0), kNow));
  EXPECT_TRUE(asks(kSecond, kNow + 60s));
  EXPECT_THAT(refused.taken(kShape, kSecond), ElementsAre(numbered(0), numbered(1)));
}

// Five thousand pods wait at a limit, and Slurm then accepts ten jobs.
TEST_F(RefusalCacheTest, TheNumberOfRefusedSubmitsDoesNotGrowWithTheNumberOfWaitingPods) {
  for (int i = 0; i < 5000; ++i) EXPECT_FALSE(asks({"a", std::to_string(i)}, kNow));
  int free = 10;
  int in_vain = 0;
  std::vector<kube::ObjectKey> ask = {kFirst};
  while (!ask.empty()) {
    const kube::ObjectKey who = ask.front();
    ask.erase(ask.begin());
    EXPECT_TRUE(asks(who, kNow + 60s));
    if (free == 0) {
      ++in_vain;
      refused.refused(kShape, who, Error(Kind::refused, "no"), kNow + 120s);
      continue;
    }
    --free;
    for (const kube::ObjectKey& next : refused.taken(kShape, who)) ask.push_back(next);
  }
  EXPECT_EQ(free, 0);
  EXPECT_LE(in_vain, 11);
}

TEST_F(RefusalCacheTest, NothingIsStoredForDeletedPods) {
  refused.forget(kShape, kFirst);
  EXPECT_EQ(refused.next_try(kShape), std::nullopt);
}

}  // namespace
}  // namespace bridge::scheduling
