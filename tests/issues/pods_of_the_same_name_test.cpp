// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge identified pods by name, so that a new pod inherited the job of an
// earlier pod of the same name.
#include "small_world.h"

namespace issues {
namespace {

TEST(PodOfTheSameName, GetsItsOwnJob) {
  SmallWorld small;
  small.create("a");
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 10s));
  small.world.processes().front()->kill();
  // Deleted by force, including its finalizer, while the bridge is down.
  net::http::Request unfinalize("PATCH",
                                fmt::format("/api/v1/namespaces/{}/pods/a", sim::kNamespace),
                                R"({"metadata":{"finalizers":null}})");
  unfinalize.headers.emplace_back("Content-Type", "application/merge-patch+json");
  EXPECT_EQ(small.world.as_user(unfinalize).status, 200);
  small.remove("a");
  small.world.pass(60s);
  ASSERT_EQ(small.pod("a"), nullptr);
  small.create("a");
  small.world.processes().front()->start(2);
  ASSERT_TRUE(small.until([&] { return small.bound("a"); }, 60s));
  small.pass(3min);
  const auto jobs = small.jobs("a");
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].state, "CANCELLED");
  EXPECT_EQ(jobs[1].state, "RUNNING");
  EXPECT_EQ(small.pod("a")->job, jobs[1].id);
}

}  // namespace
}  // namespace issues
