// SPDX-License-Identifier: Apache-2.0
// #1: every job belonged to the bridge's own user.
#include "small_world.h"

namespace issues {
namespace {

TEST(Issue001, AJobIsThatUsersAndGroupsWhomThePodNames) {
  SmallWorld small;
  small.create("a", {{"user-id", "alice"}, {"group-id", "staff"}});
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 10s));
  EXPECT_EQ(small.jobs("a").front().user, "alice");
  EXPECT_EQ(small.jobs("a").front().group, "staff");
}

}  // namespace
}  // namespace issues
