// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/states_poll.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline mirror {
namespace {

using base::Error;
using base::Instant;
using base::Kind;
using std::chrono::seconds;

Instant at(int s) {
  return Instant(seconds(s));
}

std::vector<JobId> jobs(std::uint32_t count) {
  std::vector<JobId> ids;
  for (std::uint32_t id = 1; id <= count; ++id) ids.emplace_back(id);
  return ids;
}

Error http(int status) {
  return Error(Kind::unavailable, "x").with_status(status);
}

TEST(StatesPoll, ACallThatIsTooLongIsRepeatedInSmallerOnes) {
  for (const int status : {400, 413, 414, 431}) {
    StatesPoll poll;
    const auto all = poll.start(jobs(100), at(1));
    ASSERT_EQ(all.size(), 100U);
    ASSERT_TRUE(poll.refused_as_too_long(all, http(status))) << status;
    EXPECT_EQ(poll.due(seconds(1)), Instant::min());
    EXPECT_FALSE(poll.take_shortened());  // not known yet
    std::vector<JobId> asked;
    while (poll.in_round()) {
      const auto some = poll.start({}, at(1));
      EXPECT_EQ(some.size(), 50U);
      asked.insert(asked.end(), some.begin(), some.end());
      poll.answered(at(2));
    }
    EXPECT_EQ(asked, jobs(100));
    EXPECT_EQ(poll.good_since(), at(1));
    const auto shortened = poll.take_shortened();
    ASSERT_TRUE(shortened);
    EXPECT_EQ(shortened->ids_per_call, 50U);
    EXPECT_EQ(shortened->refusal.status(), status);
    EXPECT_FALSE(poll.take_shortened());
  }
}

TEST(StatesPoll, OtherErrorsAreNoReasonForSmallerCalls) {
  StatesPoll poll;
  const auto all = poll.start(jobs(100), at(1));
  for (const int status : {401, 403, 404, 500, 502, 503, 511})
    EXPECT_FALSE(poll.refused_as_too_long(all, http(status))) << status;
  EXPECT_FALSE(poll.refused_as_too_long(all, http(400).with_code(2017)));  // Slurm's own error
}

TEST(StatesPoll, ARequestThatIsRefusedHoweverShortItIsFails) {
  StatesPoll poll;
  auto ids = poll.start(jobs(100), at(1));
  while (poll.refused_as_too_long(ids, http(400))) ids = poll.start({}, at(1));
  poll.failed(http(400), at(1));
  EXPECT_EQ(poll.error()->status(), 400);
  while (poll.in_round()) {
    ids = poll.start({}, at(1));
    poll.failed(http(400), at(1));
  }
  EXPECT_EQ(poll.good_since(), Instant::min());
  EXPECT_EQ(poll.start(jobs(100), at(2)).size(), 100U);  // not smaller for ever
}

TEST(StatesPoll, ARoundIsGoodOnlyIfEachOfItsCallsWasAnswered) {
  StatesPoll poll;
  (void)poll.start(jobs(4000), at(1));
  poll.failed(Error(Kind::lost, "x"), at(11));
  (void)poll.start({}, at(12));
  poll.answered(at(13));
  EXPECT_TRUE(poll.error());
  EXPECT_EQ(poll.good_since(), Instant::min());
  for (int call = 0; call < 2; ++call) {
    (void)poll.start(jobs(4000), at(20));
    poll.answered(at(21));
  }
  EXPECT_FALSE(poll.error());
  EXPECT_EQ(poll.good_since(), at(20));
}

}  // namespace
}  // namespace slurm::inline mirror
