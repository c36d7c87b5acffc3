// SPDX-License-Identifier: Apache-2.0
#include "bridge/testing/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge {
namespace {

using testing::pod_text;
using testing::Reply;
using testing::TestAdmission;

std::string value(const json::Value& object, const std::string& place) {
  const json::Value* found = json::find(object, json::parse_pointer(place).value());
  if (found == nullptr) return "";
  return found->as_string() != nullptr ? *found->as_string() : found->dump();
}

const std::string kToleration = R"({"key":"slinky.slurm.net/managed-node","operator":"Equal",)"
                                R"("value":"slurm-bridge-scheduler","effect":"NoExecute"})";
const std::string kByDaemonSet =
    R"("ownerReferences":[{"apiVersion":"apps/v1","kind":"DaemonSet","name":"d","uid":"u","controller":true}])";

struct Row {
  const char* behaviour;
  std::string ns;
  std::string metadata;
  std::string spec;
  std::string scheduler;  // afterwards
  std::string node;
  std::string tolerations;
};

const Row kRows[] = {
    {"an unmanaged pod of the default scheduler is untouched",
     "other",
     "",
     R"("schedulerName":"default-scheduler","nodeName":"n1")",
     "default-scheduler",
     "n1",
     ""},
    {"an unmanaged pod of another scheduler is untouched",
     "other",
     "",
     R"("schedulerName":"volcano")",
     "volcano",
     "",
     ""},
    {"a managed pod of the default scheduler becomes ours",
     "managed",
     "",
     R"("schedulerName":"default-scheduler")",
     testing::kOurs,
     "",
     "[" + kToleration + "]"},
    {"a managed pod without a scheduler becomes ours",
     "managed",
     "",
     "",
     testing::kOurs,
     "",
     "[" + kToleration + "]"},
    {"a managed pod of another scheduler keeps it, and gets no toleration",
     "managed",
     "",
     R"("schedulerName":"volcano")",
     "volcano",
     "",
     ""},
    {"our scheduler in an unmanaged namespace is accepted",
     "other",
     "",
     R"("schedulerName":"slurm-bridge-scheduler")",
     testing::kOurs,
     "",
     "[" + kToleration + "]"},
    {"the node is cleared on creation",
     "managed",
     "",
     R"("nodeName":"n1")",
     testing::kOurs,
     "",
     "[" + kToleration + "]"},
    {"the toleration comes behind others",
     "managed",
     "",
     R"("tolerations":[{"key":"k","operator":"Exists"}])",
     testing::kOurs,
     "",
     R"([{"key":"k","operator":"Exists"},)" + kToleration + "]"},
    {"the toleration is not added twice",
     "managed",
     "",
     R"("tolerations":[)" + kToleration + "]",
     testing::kOurs,
     "",
     "[" + kToleration + "]"},
    {"a toleration for a while does not do",
     "managed",
     "",
     R"("tolerations":[{"key":"slinky.slurm.net/managed-node","operator":"Equal",)"
     R"("value":"slurm-bridge-scheduler","effect":"NoExecute","tolerationSeconds":5}])",
     testing::kOurs,
     "",
     R"([{"key":"slinky.slurm.net/managed-node","operator":"Equal",)"
     R"("value":"slurm-bridge-scheduler","effect":"NoExecute","tolerationSeconds":5},)" +
         kToleration + "]"},
    {"a mirror pod is left alone",
     "managed",
     R"("annotations":{"kubernetes.io/config.mirror":"x"})",
     R"("nodeName":"n1")",
     "",
     "n1",
     ""},
    {"a DaemonSet pod of another scheduler is treated as any other",
     "managed",
     kByDaemonSet,
     R"("schedulerName":"volcano","nodeName":"n1")",
     "volcano",
     "",
     ""},
    {"a DaemonSet's pod that names our scheduler is ours",
     "managed",
     kByDaemonSet,
     R"("schedulerName":"slurm-bridge-scheduler")",
     testing::kOurs,
     "",
     "[" + kToleration + "]"},
    {"a foreign kind with that name is not a DaemonSet",
     "managed",
     R"("ownerReferences":[{"apiVersion":"x/v1","kind":"DaemonSet","controller":true}])",
     "",
     testing::kOurs,
     "",
     "[" + kToleration + "]"},
};

TEST(AdmissionDefaults, ByNamespaceSchedulerAndOwner) {
  TestAdmission test;
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.behaviour);
    const Reply reply = test.mutate({pod_text(row.metadata, row.spec), "", row.ns});
    ASSERT_TRUE(reply.allowed) << reply.message;
    EXPECT_EQ(reply.uid, "r-1");
    EXPECT_EQ(value(reply.object, "/spec/schedulerName"), row.scheduler);
    EXPECT_EQ(value(reply.object, "/spec/nodeName"), row.node);
    EXPECT_EQ(value(reply.object, "/spec/tolerations"), row.tolerations);
  }
}

TEST(AdmissionDefaults, WhatIsCompleteIsNotPatched) {
  TestAdmission test;
  const std::string pod = pod_text(
      "", R"("schedulerName":"slurm-bridge-scheduler","tolerations":[)" + kToleration + "]");
  EXPECT_FALSE(test.mutate({pod}).patched);
}

TEST(AdmissionDefaults, AnUpdateChangesNothing) {
  TestAdmission test;
  const std::string pod = pod_text("", R"("schedulerName":"default-scheduler","nodeName":"n1")");
  const Reply reply = test.mutate({pod, pod});
  EXPECT_TRUE(reply.allowed);
  EXPECT_FALSE(reply.patched);
}

}  // namespace
}  // namespace bridge
