// SPDX-License-Identifier: Apache-2.0
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

const std::string kLabel = R"("labels":{"scheduler.slinky.slurm.net/slurm-jobid":"7"})";
const std::string kOtherLabel = R"("labels":{"scheduler.slinky.slurm.net/slurm-jobid":"8"})";
const std::string kNode = R"("annotations":{"slinky.slurm.net/slurm-node":"n1"})";
const std::string kOtherNode = R"("annotations":{"slinky.slurm.net/slurm-node":"n2"})";

std::string ours(const std::string& more = "") {
  return R"("schedulerName":"slurm-bridge-scheduler")" + (more.empty() ? "" : "," + more);
}
std::string annotated(const std::string& suffix, const std::string& value) {
  return R"("annotations":{"slurmjob.slinky.slurm.net/)" + suffix + R"(":")" + value + R"("})";
}
std::string device(const std::string& name) {
  return R"("containers":[{"name":"c","resources":{"limits":{"deviceclass.resource.kubernetes.io/)" +
         name + R"(":"1"}}}])";
}

struct Row {
  const char* behaviour;
  std::string before;
  std::string after;
  std::string user;
  int code;  // 0: allowed
};

const Row kRows[] = {
    {"the bridge labels a pod", "", kLabel, testing::kBridgeUser, 0},
    {"another role of the bridge labels a pod",
     "",
     kLabel,
     "system:serviceaccount:slurm:other-role",
     0},
    {"the bridge takes the label off", kLabel, "", testing::kBridgeUser, 0},
    {"a user labels a pod", "", kLabel, "alice", 403},
    {"a user changes the label", kLabel, kOtherLabel, "alice", 403},
    {"a user takes the label off", kLabel, "", "alice", 403},
    {"the bridge changes the node", kNode, kOtherNode, testing::kBridgeUser, 0},
    {"a user sets the node", "", kNode, "alice", 403},
    {"a user changes the node", kNode, kOtherNode, "alice", 403},
    {"a user takes the node off", kNode, "", "alice", 403},
    {"a user changes something else",
     kLabel + "," + kNode,
     kLabel + R"(,"annotations":{"slinky.slurm.net/slurm-node":"n1","a":"b"})",
     "alice",
     0},
    {"a user takes our finalizer off",
     kLabel + R"(,"finalizers":["scheduler.slinky.slurm.net/finalizer"])",
     kLabel,
     "alice",
     0},
};

std::string in_phase(std::string pod, std::string_view phase) {
  pod.pop_back();
  return fmt::format(R"({},"status":{{"phase":"{}"}}}})", pod, phase);
}

TEST(AdmissionOfChanges, JobAndNodeAreTheBridgesInEveryPhase) {
  TestAdmission test;
  test.start();
  for (const char* phase : {"Pending", "Running", "Succeeded", "Failed", "Unknown"}) {
    const std::string spec = ours(phase == std::string("Pending") ? "" : R"("nodeName":"n1")");
    for (const Row& row : kRows) {
      SCOPED_TRACE(std::string(row.behaviour) + ", " + phase);
      const Reply reply = test.validate({in_phase(pod_text(row.after, spec), phase),
                                         in_phase(pod_text(row.before, spec), phase),
                                         "managed",
                                         row.user});
      EXPECT_EQ(reply.code, row.code) << reply.message;
      if (row.code != 0)
        EXPECT_THAT(reply.message, AllOf(HasSubstr("only the bridge"), HasSubstr("\"alice\"")));
    }
  }
}

TEST(AdmissionOfChanges, TheStatusIsNoWayAroundIt) {
  TestAdmission test;
  test.start();
  EXPECT_EQ(
      test.validate({pod_text(kLabel, ours()), pod_text("", ours()), "managed", "alice", "status"})
          .code,
      403);
}

TEST(AdmissionOfChanges, ADaemonSetThatNamesOurSchedulerIsNoWayAroundItEither) {
  TestAdmission test;
  test.start();
  const std::string owner =
      R"(,"ownerReferences":[{"apiVersion":"apps/v1","kind":"DaemonSet","controller":true}])";
  EXPECT_EQ(
      test.validate({pod_text(kOtherLabel + owner, ours()), pod_text(kLabel + owner, ours())}).code,
      403);
}

TEST(AdmissionOfChanges, UntilOurOwnNameIsKnownTheLabelIsProtectedAndOtherChangesAreAllowed) {
  TestAdmission test;
  const Reply reply = test.validate(
      {pod_text(kLabel, ours()), pod_text("", ours()), "managed", testing::kBridgeUser});
  EXPECT_EQ(reply.code, 503);
  EXPECT_THAT(reply.message, HasSubstr("try again"));
  EXPECT_TRUE(test.validate({pod_text(kLabel, ours()), pod_text(kLabel, ours())}).allowed);
}

TEST(AdmissionOfChanges, AResizeOfOurPodIsRefusedInEveryNamespace) {
  TestAdmission test;
  test.start();
  const std::string pod = pod_text("", ours());
  for (const char* where : {"managed", "other"}) {
    const Reply reply = test.validate({pod, pod, where, "alice", "resize"});
    EXPECT_EQ(reply.code, 403) << where;
    EXPECT_THAT(reply.message, HasSubstr("delete the pod and create it with the new size"));
  }
}

// It has no Slurm job whose size could differ from its own.
TEST(AdmissionOfChanges, AnotherSchedulersPodIsResizedAlsoInAManagedNamespace) {
  TestAdmission test;
  test.start();
  const std::string pod = pod_text("", R"("schedulerName":"volcano")");
  for (const char* where : {"managed", "other"})
    EXPECT_TRUE(test.validate({pod, pod, where, "alice", "resize"}).allowed) << where;
  EXPECT_EQ(
      test.validate(
              {pod_text(kLabel, R"("schedulerName":"volcano")"), pod, "managed", "alice", "resize"})
          .code,
      403)
      << "the label stays protected";
}

TEST(AdmissionOfChanges, AnUnmanagedPodIsItsOwnersAffair) {
  TestAdmission test;
  test.start();
  EXPECT_TRUE(test.validate({pod_text(kLabel, ""), pod_text("", ""), "other"}).allowed);
}

TEST(AdmissionOfChanges, AConflictThatComesWithTheChangeIsRefused) {
  TestAdmission test;
  test.start();
  const std::string spec = ours(device("gpu.nvidia.com"));
  EXPECT_EQ(
      test.validate({pod_text(annotated("gres", "gres/gpu:1"), spec), pod_text("", spec)}).code,
      422);
}

TEST(AdmissionOfChanges, AnExistingProblemDoesNotBlockOtherChanges) {
  TestAdmission test;
  test.start();
  const std::string spec = ours(device("fpga"));
  EXPECT_TRUE(
      test.validate({pod_text("", spec), pod_text(R"("finalizers":["example.com/x"])", spec)})
          .allowed);
  const std::string unreadable =
      ours(R"("containers":[{"name":"c","resources":{"limits":{"cpu":"many"}}}])");
  EXPECT_TRUE(test.validate({pod_text("", unreadable), pod_text(kLabel, unreadable)}).allowed);
}

struct Annotated {
  const char* behaviour;
  std::string before;
  std::string after;
  const char* spec;
  int code;
};

const Annotated kAnnotated[] = {
    {"a good change of a pending pod",
     annotated("timelimit", "5"),
     annotated("timelimit", "6"),
     "",
     0},
    {"a malformed change of a pending pod",
     annotated("timelimit", "5"),
     annotated("timelimit", "6h"),
     "",
     422},
    {"a malformed new annotation", "", annotated("priority", "high"), "", 422},
    {"more nodes at least than at most", "", annotated("min-nodes", "2"), "", 422},
    {"malformed before and not changed",
     annotated("timelimit", "6h"),
     annotated("timelimit", "6h"),
     "",
     0},
    {"mended", annotated("timelimit", "6h"), annotated("timelimit", "360"), "", 0},
    {"taken off", annotated("timelimit", "6h"), "", "", 0},
    {"too late to matter", "", annotated("timelimit", "6h"), R"("nodeName":"n1")", 0},
};

TEST(AdmissionOfChanges, AnnotationValuesAreCheckedWhileTheyCanStillCount) {
  TestAdmission test;
  test.start();
  for (const Annotated& row : kAnnotated) {
    SCOPED_TRACE(row.behaviour);
    const Reply reply =
        test.validate({pod_text(row.after, ours(row.spec)), pod_text(row.before, ours(row.spec))});
    EXPECT_EQ(reply.code, row.code) << reply.message;
  }
}

}  // namespace
}  // namespace bridge
