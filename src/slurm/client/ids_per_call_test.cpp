// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/ids_per_call.h"

#include <gtest/gtest.h>

namespace slurm::inline client {
namespace {

using std::chrono::hours;

constexpr base::Instant kNow{hours(1)};

// The limit after calls through a proxy that accepts `accepted` ids per call.
std::size_t learned(IdsPerCall& size, std::size_t ids, std::size_t accepted) {
  std::size_t call = std::min(ids, size.limit(kNow));
  while (call > accepted && size.refused(call)) call = std::min(ids, size.limit(kNow));
  return call;
}

TEST(IdsPerCall, IsHalvedUntilACallIsAnsweredAndThenKept) {
  IdsPerCall size;
  EXPECT_EQ(learned(size, 900, 500), 450U);
  EXPECT_TRUE(size.answered(kNow));
  EXPECT_EQ(size.limit(kNow), 450U);
  EXPECT_FALSE(size.answered(kNow));  // not a new limit
}

TEST(IdsPerCall, AProxyThatRefusesEverythingDoesNotMakeCallsSmall) {
  IdsPerCall size;
  EXPECT_EQ(learned(size, 900, 0), IdsPerCall::kFewest);
  EXPECT_EQ(size.limit(kNow), kMostIdsPerCall);
}

TEST(IdsPerCall, ALargerCallIsTriedAgainLater) {
  IdsPerCall size;
  ASSERT_EQ(learned(size, 900, 500), 450U);
  ASSERT_TRUE(size.answered(kNow));
  EXPECT_EQ(size.limit(kNow + hours(1)), 900U);
  ASSERT_TRUE(size.refused(900));
  EXPECT_EQ(size.limit(kNow + hours(1)), 450U);
  EXPECT_FALSE(size.answered(kNow + hours(1)));  // already reported
  EXPECT_EQ(size.limit(kNow + hours(2)), 900U);
  EXPECT_FALSE(size.answered(kNow + hours(2)));  // the proxy accepts more now
  EXPECT_EQ(size.limit(kNow + hours(2)), 900U);
}

}  // namespace
}  // namespace slurm::inline client
