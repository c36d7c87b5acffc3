// SPDX-License-Identifier: Apache-2.0
// DaemonSet pods: every user who may create pods can name a DaemonSet as the owner, so only
// namespaces that administrators trust are exempt from Slurm.
#include "bridge/testing/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::pod_text;
using testing::Question;
using testing::Reply;
using testing::TestAdmission;

const std::string kByDaemonSet =
    R"("ownerReferences":[{"apiVersion":"apps/v1","kind":"DaemonSet","name":"d","uid":"u","controller":true}])";

// As created by the DaemonSet controller, or by a user who imitates it.
Question daemon_pod(const std::string& ns, const std::string& scheduler = "default-scheduler") {
  const std::string spec = R"("schedulerName":")" + scheduler + R"(","nodeName":"n1")";
  return {.object = pod_text(kByDaemonSet, spec), .ns = ns};
}

// Every namespace is managed; "trusted" is configured, "slurm" is the bridge's own.
struct AdmissionOfDaemonSets : ::testing::Test {
  AdmissionOfDaemonSets() {
    test.server.namespaces = {{"tenant", "a"},
                              {"trusted", "a"},
                              {"kube-system", "a"},
                              {"kube-public", "a"},
                              {"kube-node-lease", "a"},
                              {"slurm", "a"}};
    test.start();
  }

  TestAdmission test{admission::ManagedNamespaces{{}, kube::LabelSelector{}, {"trusted"}}};
};

TEST_F(AdmissionOfDaemonSets, APodOfATenantsDaemonSetIsDeniedWithTheRemedies) {
  for (const std::string& scheduler : {std::string("default-scheduler"), std::string()}) {
    for (const Reply& reply : {test.mutate(daemon_pod("tenant", scheduler)),
                               test.validate(daemon_pod("tenant", scheduler))}) {
      EXPECT_EQ(reply.code, 403);
      EXPECT_THAT(reply.message,
                  AllOf(HasSubstr("metadata.ownerReferences"),
                        HasSubstr("namespace tenant"),
                        HasSubstr(testing::kOurs),
                        HasSubstr("daemonSetNamespaces")));
    }
  }
}

TEST_F(AdmissionOfDaemonSets, PodsOfTrustedNamespacesKeepTheirNode) {
  for (const char* ns : {"trusted", "kube-system", "kube-public", "kube-node-lease", "slurm"}) {
    const Reply reply = test.mutate(daemon_pod(ns));
    EXPECT_TRUE(reply.allowed && !reply.patched) << ns << ": " << reply.message;
    EXPECT_TRUE(test.validate(daemon_pod(ns)).allowed) << ns;
  }
}

TEST_F(AdmissionOfDaemonSets, APodThatNamesOurSchedulerGetsAJobLikeAnyOther) {
  const Reply reply = test.mutate(daemon_pod("tenant", testing::kOurs));
  EXPECT_TRUE(reply.allowed) << reply.message;
  EXPECT_EQ(reply.object.find("spec")->find("nodeName"), nullptr);
  EXPECT_TRUE(test.validate(daemon_pod("tenant", testing::kOurs)).allowed);
}

TEST_F(AdmissionOfDaemonSets, APodThatExistsMayStillBeChanged) {
  Question change = daemon_pod("tenant");
  change.old_object = change.object;
  EXPECT_TRUE(test.validate(change).allowed);
}

TEST_F(AdmissionOfDaemonSets, TheTrustedNamespacesFollowTheConfiguration) {
  test.admission.apply({{}, kube::LabelSelector{}, {"tenant"}});
  EXPECT_TRUE(test.mutate(daemon_pod("tenant")).allowed);
  EXPECT_FALSE(test.mutate(daemon_pod("trusted")).allowed);
  EXPECT_TRUE(test.mutate(daemon_pod("slurm")).allowed);
}

}  // namespace
}  // namespace bridge
