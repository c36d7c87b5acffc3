// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge made seven calls to Slurm and twelve to Kubernetes for one pod, wrote
// patches that change nothing, and needed at least a second from submit to bind.
#include "small_world.h"

namespace issues {
namespace {

TEST(WritesPerPod, AreOneToSlurmAndTwoToThePod) {
  SmallWorld small;
  const std::size_t before = small.writes();
  const std::size_t to_slurm = small.calls("POST /slurm/");  // the check of the token
  small.create("a");
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 3s));
  EXPECT_EQ(small.calls("POST /slurm/") - to_slurm, 1U);
  EXPECT_EQ(small.calls("PATCH /api/v1/namespaces/work/pods/a"), 1U) << "label and finalizer";
  EXPECT_EQ(small.calls("/pods/a/binding"), 1U);
  EXPECT_LE(small.writes() - before, 4U) << "these, and at most one Event";
}

TEST(WritesPerPod, AnIdleSystemWritesNothing) {
  SmallWorld small;
  small.create("a");
  small.pass(2min);
  const std::size_t before = small.writes();
  small.pass(20min);
  EXPECT_EQ(small.writes(), before);
}

}  // namespace
}  // namespace issues
