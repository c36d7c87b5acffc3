// SPDX-License-Identifier: Apache-2.0
#include "kube/cache/page_size.h"

#include <gtest/gtest.h>

namespace kube::inline cache {
namespace {

using base::Error;
using base::Kind;
using Ended = PageSize::Ended;

constexpr auto kEarly = Ended::before_the_deadline;

Error too_large() {
  return Error(Kind::invalid, "too large").with_status(413);
}
Error too_slow() {
  return Error(Kind::unavailable, "timeout").with_status(504);
}

TEST(PageSize, APageThatIsTooLargeIsHalvedDownToOneObject) {
  PageSize size;
  size.list_begins();
  EXPECT_EQ(size.now(), 500U);
  EXPECT_TRUE(size.page_failed(too_large(), kEarly));
  EXPECT_EQ(size.now(), 250U);
  size.list_begins();
  EXPECT_EQ(size.now(), 250U);
  for (int i = 0; i < 20; ++i) (void)size.page_failed(too_large(), kEarly);
  EXPECT_EQ(size.now(), 1U);
  EXPECT_FALSE(size.page_failed(too_large(), kEarly));
}

TEST(PageSize, AnAnswerOverOurOwnLimitIsTooLarge) {
  PageSize size;
  EXPECT_TRUE(size.page_failed(Error(Kind::protocol, "the answer's body is larger"), kEarly));
  EXPECT_EQ(size.now(), 250U);
}

TEST(PageSize, APageThatTakesTooLongIsHalvedAndTheNextListTriesMore) {
  PageSize size;
  EXPECT_TRUE(size.page_failed(too_slow(), kEarly));
  EXPECT_TRUE(size.page_failed(Error(Kind::lost, "no answer"), Ended::at_the_deadline));
  EXPECT_EQ(size.now(), 125U);
  for (int i = 0; i < 20; ++i) (void)size.page_failed(too_slow(), kEarly);
  EXPECT_EQ(size.now(), PageSize::kSmallest);
  size.list_begins();
  EXPECT_EQ(size.now(), 2 * PageSize::kSmallest);
}

TEST(PageSize, OtherFailuresDoNotChangeThePageSize) {
  PageSize size;
  EXPECT_FALSE(size.page_failed(Error(Kind::lost, "reset"), kEarly));
  EXPECT_FALSE(size.page_failed(Error(Kind::forbidden, "no").with_status(403), kEarly));
  EXPECT_FALSE(size.page_failed(Error(Kind::unavailable, "bad day").with_status(500), kEarly));
  EXPECT_EQ(size.now(), 500U);
}

}  // namespace
}  // namespace kube::inline cache
