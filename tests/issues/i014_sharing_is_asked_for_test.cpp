// SPDX-License-Identifier: Apache-2.0
// #14: there was no annotation for a pod to share its node.
#include "slurm/api/job_request.h"
#include "small_world.h"
#include "workload/job_of_pod.h"

namespace issues {
namespace {

std::string body_of(const char* exclusive) {
  kube::Pod pod;
  if (exclusive != nullptr)
    pod.metadata.annotations[workload::kJobAnnotationPrefix + "exclusive"] = exclusive;
  const auto request = workload::job_of_pod(pod, {"c-1", "s"}, {});
  EXPECT_TRUE(request.ok());
  return slurm::submit_body(*request);
}

TEST(Issue014, ANodeIsSharedIfThePodSaysSoAndElseItsOwn) {
  EXPECT_TRUE(body_of("false").contains(R"("shared":[])")) << body_of("false");
  EXPECT_TRUE(body_of("true").contains(R"("shared":["none"])"));
  EXPECT_TRUE(body_of(nullptr).contains(R"("shared":["none"])"));
}

TEST(Issue014, TwoThatShareRunOnOneNodeAndOneThatDoesNotWaits) {
  SmallWorld small;
  (void)small.fill("small", 1);
  for (const char* name : {"a", "b"})
    small.create(name, {{"exclusive", "false"}, {"partition", "small"}});
  ASSERT_TRUE(small.until([&] { return small.bound("a") && small.bound("b"); }, 10s));
  EXPECT_EQ(small.pod("a")->node, small.pod("b")->node);
  small.create("alone", {{"partition", "small"}});
  small.pass(30s);
  EXPECT_FALSE(small.bound("alone"));
}

}  // namespace
}  // namespace issues
