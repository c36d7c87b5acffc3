// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/submit_queue.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

kube::ObjectKey pod(int number) {
  return {"a", fmt::format("pod-{}", number)};
}

// Two are inside, and three stand in line.
struct FullLine : ::testing::Test {
  FullLine() {
    for (int i = 0; i < 5; ++i) EXPECT_EQ(line.enter(pod(i)), i < 2) << i;
  }
  SubmitQueue line{2};
};

TEST_F(FullLine, CallsAsManyAsThereArePlacesInTheOrderInWhichTheyCame) {
  EXPECT_THAT(line.call(), IsEmpty());
  line.leave();
  EXPECT_THAT(line.call(), ElementsAre(pod(2)));
  EXPECT_THAT(line.call(), IsEmpty()) << "the place is kept for the one that was called";
  line.leave();
  EXPECT_THAT(line.call(), ElementsAre(pod(3)));
  EXPECT_TRUE(line.enter(pod(2)));
  EXPECT_THAT(line.call(), IsEmpty());
}

TEST_F(FullLine, NobodyOvertakes) {
  line.leave();
  EXPECT_FALSE(line.enter(pod(9))) << "others were here before";
  EXPECT_THAT(line.call(), ElementsAre(pod(2)));
  line.leave();
  EXPECT_FALSE(line.enter(pod(3))) << "it has not been called";
  EXPECT_THAT(line.call(), ElementsAre(pod(3)));
  EXPECT_TRUE(line.enter(pod(3)));
  EXPECT_TRUE(line.enter(pod(2)));
  line.leave();
  line.leave();
  EXPECT_THAT(line.call(), ElementsAre(pod(4), pod(9)));
}

TEST_F(FullLine, WhoeverComesAgainKeepsItsPlace) {
  for (const int again : {4, 3, 2}) EXPECT_FALSE(line.enter(pod(again)));
  EXPECT_EQ(line.waiting(), 3U);
  line.leave();
  EXPECT_THAT(line.call(), ElementsAre(pod(2)));
}

TEST_F(FullLine, ThePlaceOfOneThatWantsNoJobAnyMoreIsTheNextOnes) {
  line.leave();
  EXPECT_THAT(line.call(), ElementsAre(pod(2)));
  EXPECT_TRUE(line.is_called(pod(2)));
  line.give_way(pod(2));
  EXPECT_FALSE(line.is_called(pod(2)));
  EXPECT_THAT(line.call(), ElementsAre(pod(3)));
  EXPECT_EQ(line.inside(), 1U);
}

// As the scheduler does it: whoever is through lets the next ones be called, and they come later.
TEST(SubmitQueue, ServesThousandsInTheOrderInWhichTheyCame) {
  SubmitQueue line(32);
  std::deque<int> comes;
  std::vector<int> served;
  std::vector<int> inside;
  for (int i = 0; i < 3000; ++i) comes.push_back(i);
  while (!comes.empty() || !inside.empty()) {
    for (int steps = 0; steps < 64 && !comes.empty(); ++steps) {
      const int next = comes.front();
      comes.pop_front();
      if (line.enter(pod(next))) inside.push_back(next);
    }
    if (!inside.empty()) {
      served.push_back(inside.front());
      inside.erase(inside.begin());
      line.leave();
    }
    EXPECT_LE(line.inside(), 32U);
    for (const kube::ObjectKey& called : line.call())
      comes.push_back(std::stoi(called.name.substr(4)));
  }
  EXPECT_EQ(served.size(), 3000U);
  EXPECT_TRUE(std::ranges::is_sorted(served));
}

}  // namespace
}  // namespace bridge::scheduling
