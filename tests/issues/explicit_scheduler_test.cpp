// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge#13: the webhook ignored an explicit schedulerName.
#include "bridge/testing/admission.h"

#include <gtest/gtest.h>

namespace bridge::testing {
namespace {

std::string scheduler_after(const std::string& asked, const std::string& ns) {
  TestAdmission test;
  test.start();
  const Reply reply =
      test.mutate({.object = pod_text("", R"("schedulerName":")" + asked + '"'), .ns = ns});
  EXPECT_TRUE(reply.allowed) << reply.message;
  return *reply.object.find("spec")->find("schedulerName")->as_string();
}

TEST(ExplicitScheduler, IsKeptAndTheDefaultSchedulerIsReplaced) {
  EXPECT_EQ(scheduler_after("volcano", "managed"), "volcano");
  EXPECT_EQ(scheduler_after("default-scheduler", "managed"), kOurs);
  EXPECT_EQ(scheduler_after(kOurs, "elsewhere"), kOurs);
  EXPECT_EQ(scheduler_after("default-scheduler", "elsewhere"), "default-scheduler");
}

TEST(ExplicitScheduler, IsServedInAnUnmanagedNamespace) {
  TestAdmission test;
  test.start();
  const std::string spec = R"("schedulerName":")" + kOurs + '"';
  EXPECT_TRUE(test.mutate({.object = pod_text("", spec), .ns = "elsewhere"}).patched);
  const std::string with_claims = spec + R"(,"resourceClaims":[{"name":"c"}])";
  EXPECT_FALSE(test.validate({.object = pod_text("", with_claims), .ns = "elsewhere"}).allowed);
}

}  // namespace
}  // namespace bridge::testing
