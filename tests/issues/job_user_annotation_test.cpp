// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge#1: the user of a job could not be chosen; every job belonged to the
// user of the bridge.
#include "small_world.h"

namespace issues {
namespace {

TEST(JobUser, IsSetByTheAnnotationsUserIdAndGroupId) {
  SmallWorld small;
  small.create("a", {{"user-id", "alice"}, {"group-id", "staff"}});
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 10s));
  EXPECT_EQ(small.jobs("a").front().user, "alice");
  EXPECT_EQ(small.jobs("a").front().group, "staff");
}

}  // namespace
}  // namespace issues
