// SPDX-License-Identifier: Apache-2.0
#include "kube/cache/list_watch_health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kube::inline cache {
namespace {

using base::Error;
using base::Kind;
using State = ListWatchReport::State;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

struct ListWatchHealthTest : ::testing::Test {
  static ListWatchHealth::Attempt at(base::Duration time) {
    return {base::Instant() + time, base::Instant() + time};
  }
  std::optional<ListWatchReport> fails(Verb verb, Kind kind, base::Duration time) {
    return health.failed(verb, Error(kind, "no"), at(time));
  }
  ListWatchHealth health{"pods"};
};

TEST_F(ListWatchHealthTest, ALastingFailureIsReportedOnceWithVerbAndResource) {
  EXPECT_FALSE(fails(Verb::list, Kind::forbidden, 0s));
  EXPECT_FALSE(fails(Verb::list, Kind::forbidden, 9s));
  EXPECT_EQ(health.problem(), "");
  const auto report = fails(Verb::list, Kind::forbidden, 10s);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->state, State::failing);
  EXPECT_EQ(report->message, "cannot list pods: forbidden: no; grant this account list on pods");
  EXPECT_EQ(health.problem(), report->message);
  EXPECT_FALSE(fails(Verb::list, Kind::forbidden, 30min));
}

TEST_F(ListWatchHealthTest, ALongRequestCountsFromWhenItWasSent) {
  const auto report = health.failed(
      Verb::list, Error(Kind::lost, "no answer"), {base::Instant(), base::Instant() + 60s});
  ASSERT_TRUE(report);
  EXPECT_THAT(report->message, HasSubstr("cannot list pods"));
}

TEST_F(ListWatchHealthTest, RecoveryIsReportedOnceAndOnlyAfterAReport) {
  (void)fails(Verb::watch, Kind::forbidden, 0s);
  EXPECT_FALSE(health.opened()) << "the failure was not reported";
  (void)fails(Verb::watch, Kind::forbidden, 20s);
  (void)fails(Verb::watch, Kind::forbidden, 40s);
  const auto recovered = health.opened();
  ASSERT_TRUE(recovered);
  EXPECT_EQ(recovered->state, State::recovered);
  EXPECT_EQ(recovered->message, "can watch pods again");
  EXPECT_EQ(health.problem(), "");
  EXPECT_FALSE(health.succeeded(Verb::watch));
}

TEST_F(ListWatchHealthTest, AnAcceptedWatchDoesNotEndAFailureToDecodeEvents) {
  (void)fails(Verb::watch, Kind::protocol, 0s);
  EXPECT_FALSE(health.opened());
  EXPECT_FALSE(health.succeeded(Verb::list)) << "nor does a list";
  EXPECT_TRUE(fails(Verb::watch, Kind::protocol, 10s));
  EXPECT_FALSE(health.opened());
  EXPECT_NE(health.problem(), "");
  EXPECT_TRUE(health.succeeded(Verb::watch));
}

TEST_F(ListWatchHealthTest, AnOldUndecodableEventDoesNotCauseAReportOfAnInterruption) {
  (void)fails(Verb::watch, Kind::protocol, 0s);
  EXPECT_FALSE(health.opened());
  EXPECT_FALSE(fails(Verb::watch, Kind::lost, 90s));
  EXPECT_FALSE(health.opened());
  EXPECT_FALSE(fails(Verb::watch, Kind::lost, 180s));
}

TEST_F(ListWatchHealthTest, AnOutageIsReportedAndTheWatchedStateStaysReliable) {
  (void)fails(Verb::watch, Kind::unreachable, 0s);
  EXPECT_TRUE(fails(Verb::watch, Kind::unreachable, 10s));
  EXPECT_EQ(health.problem(), "");
  EXPECT_FALSE(fails(Verb::watch, Kind::forbidden, 20s));
  const auto denied = fails(Verb::watch, Kind::forbidden, 30s);
  ASSERT_TRUE(denied) << "a denial is reported in addition to an outage";
  EXPECT_THAT(health.problem(), HasSubstr("forbidden"));
  EXPECT_FALSE(fails(Verb::watch, Kind::unreachable, 40s));
}

TEST_F(ListWatchHealthTest,
       AServerThatStartsAndDeniesRequestsForSecondsIsNotReportedAsAMissingRight) {
  (void)fails(Verb::watch, Kind::unreachable, 0s);
  EXPECT_TRUE(fails(Verb::watch, Kind::unreachable, 15s));
  EXPECT_FALSE(fails(Verb::watch, Kind::forbidden, 16s));
  EXPECT_FALSE(fails(Verb::watch, Kind::forbidden, 25s));
  EXPECT_EQ(health.problem(), "");
  const auto recovered = health.opened();
  ASSERT_TRUE(recovered) << "the outage was reported";
  EXPECT_EQ(recovered->state, State::recovered);
}

TEST_F(ListWatchHealthTest, AShortOutageDoesNotMakeADenialAnOldOne) {
  (void)fails(Verb::list, Kind::unreachable, 0s);
  EXPECT_FALSE(fails(Verb::list, Kind::forbidden, 9s));
  EXPECT_FALSE(fails(Verb::list, Kind::forbidden, 18s));
  const auto denied = fails(Verb::list, Kind::forbidden, 19s);
  ASSERT_TRUE(denied);
  EXPECT_THAT(denied->message, HasSubstr("grant this account list on pods"));
}

TEST_F(ListWatchHealthTest, OutagesAndDenialsInTurnAreReportedOnce) {
  int reports = 0;
  for (int i = 0; i < 60; ++i) {
    const Kind kind = i % 2 == 0 ? Kind::forbidden : Kind::unreachable;
    reports += fails(Verb::list, kind, std::chrono::seconds(i)) ? 1 : 0;
  }
  EXPECT_EQ(reports, 1);
}

TEST_F(ListWatchHealthTest, AFailureOfOneVerbDoesNotEndThatOfTheOther) {
  (void)fails(Verb::watch, Kind::protocol, 0s);
  EXPECT_TRUE(fails(Verb::watch, Kind::protocol, 10s));
  (void)fails(Verb::list, Kind::unreachable, 11s);
  EXPECT_FALSE(health.succeeded(Verb::list));
  EXPECT_THAT(health.problem(), HasSubstr("cannot watch pods"));
  EXPECT_TRUE(health.succeeded(Verb::watch));
}

TEST_F(ListWatchHealthTest, AFailedListIsAlwaysAProblem) {
  (void)fails(Verb::list, Kind::unavailable, 0s);
  EXPECT_TRUE(fails(Verb::list, Kind::unavailable, 10s));
  EXPECT_THAT(health.problem(), HasSubstr("cannot list pods: unavailable"));
}

}  // namespace
}  // namespace kube::inline cache
