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

// Two pods have entered, and three are queued.
struct FullSubmitQueue : ::testing::Test {
  FullSubmitQueue() {
    for (int i = 0; i < 5; ++i) EXPECT_EQ(line.enter(pod(i)), i < 2) << i;
  }
  SubmitQueue line{2};
};

TEST_F(FullSubmitQueue, CallsOnePodPerFreePlaceInOrderOfArrival) {
  EXPECT_THAT(line.call(), IsEmpty());
  line.leave();
  EXPECT_THAT(line.call(), ElementsAre(pod(2)));
  EXPECT_THAT(line.call(), IsEmpty()) << "the place is reserved for the called pod";
  line.leave();
  EXPECT_THAT(line.call(), ElementsAre(pod(3)));
  EXPECT_TRUE(line.enter(pod(2)));
  EXPECT_THAT(line.call(), IsEmpty());
}

TEST_F(FullSubmitQueue, NoPodOvertakesAnother) {
  line.leave();
  EXPECT_FALSE(line.enter(pod(9))) << "other pods are queued before it";
  EXPECT_THAT(line.call(), ElementsAre(pod(2)));
  line.leave();
  EXPECT_FALSE(line.enter(pod(3))) << "the pod has not been called";
  EXPECT_THAT(line.call(), ElementsAre(pod(3)));
  EXPECT_TRUE(line.enter(pod(3)));
  EXPECT_TRUE(line.enter(pod(2)));
  line.leave();
  line.leave();
  EXPECT_THAT(line.call(), ElementsAre(pod(4), pod(9)));
}

TEST_F(FullSubmitQueue, APodThatEntersAgainKeepsItsPosition) {
  for (const int again : {4, 3, 2}) EXPECT_FALSE(line.enter(pod(again)));
  EXPECT_EQ(line.waiting(), 3U);
  line.leave();
  EXPECT_THAT(line.call(), ElementsAre(pod(2)));
}

TEST_F(FullSubmitQueue, ThePlaceOfAPodThatDoesNotSubmitIsGivenToTheNext) {
  line.leave();
  EXPECT_THAT(line.call(), ElementsAre(pod(2)));
  EXPECT_TRUE(line.is_called(pod(2)));
  line.give_way(pod(2));
  EXPECT_FALSE(line.is_called(pod(2)));
  EXPECT_THAT(line.call(), ElementsAre(pod(3)));
  EXPECT_EQ(line.inside(), 1U);
}

// As in the scheduler: the end of a submit calls the next pods, and these pods enter later.
TEST(SubmitQueue, ServesThousandsOfPodsInOrderOfArrival) {
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
