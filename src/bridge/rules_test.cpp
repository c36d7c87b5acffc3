// SPDX-License-Identifier: Apache-2.0
// The small rules: whose job, which node, which orphan, what is written.
#include "base/rfc3339.h"
#include "bridge/job_claim.h"
#include "bridge/named_job.h"
#include "bridge/node_names.h"
#include "bridge/orphan.h"
#include "bridge/pod_writes.h"
#include "bridge/testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge {
namespace {

using slurm::JobId;
using slurm::SlurmNodeName;
using testing::a_pod;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kBridge;

std::string comment(const workload::Bridge& bridge, const std::string& uid) {
  return workload::admin_comment({bridge, kube::Uid(uid), {{{"a", "train-0"}, kube::Uid(uid)}}});
}

TEST(JobClaim, AJobIsThePodsOnlyByUidAndBridge) {
  const kube::Pod pod = a_pod();
  EXPECT_TRUE(is_job_of(comment(kBridge, "u-1"), pod, kBridge));
  EXPECT_FALSE(is_job_of(comment(kBridge, "u-2"), pod, kBridge)) << "a namesake's";
  EXPECT_FALSE(is_job_of(comment({"cluster-2", kBridge.scheduler}, "u-1"), pod, kBridge))
      << "another cluster's";
  EXPECT_FALSE(is_job_of(comment({kBridge.cluster, "other"}, "u-1"), pod, kBridge))
      << "another scheduler's";
  for (const char* foreign : {"", "{}", "null", R"({"pods":[]})", "hello"}) {
    EXPECT_FALSE(is_job_of(foreign, pod, kBridge)) << foreign;
    EXPECT_FALSE(may_be_ours(foreign, kBridge)) << foreign;
  }
}

TEST(JobClaim, AJobOfTheReferenceIsThePodsByName) {
  const kube::Pod pod = a_pod();
  EXPECT_TRUE(is_job_of(R"({"pods":["a/train-0"]})", pod, kBridge));
  EXPECT_FALSE(is_job_of(R"({"pods":["b/train-0"]})", pod, kBridge));
  EXPECT_TRUE(may_be_ours(R"({"pods":["b/train-0"]})", kBridge));
  EXPECT_FALSE(may_be_ours(comment({"cluster-2", kBridge.scheduler}, "u-1"), kBridge));
}

TEST(NamedJob, IsAWholePositiveNumberOrNothing) {
  const auto named = [](const std::string& label) {
    kube::Pod pod = a_pod();
    pod.metadata.labels[workload::kJobIdLabel] = label;
    return named_job(pod);
  };
  EXPECT_EQ(named("4711"), JobId(4711));
  for (const char* bad : {"", "0", "-1", "7x", " 7", "4294967296", "seven"}) {
    EXPECT_EQ(named(bad), std::nullopt) << bad;
  }
}

TEST(Orphan, IsAJobThatNoPodWants) {
  const workload::Member member{{"a", "train-0"}, kube::Uid("u-1")};
  const kube::Pod unlabelled = a_pod();
  const kube::Pod labelled = a_pod().job(7);
  EXPECT_TRUE(is_orphan(JobId(7), member, nullptr)) << "its pod is gone";
  EXPECT_TRUE(is_orphan(JobId(7), {member.pod, kube::Uid("u-2")}, &labelled))
      << "a namesake took its place";
  EXPECT_TRUE(is_orphan(JobId(8), member, &labelled)) << "its pod has another job";
  EXPECT_FALSE(is_orphan(JobId(7), member, &labelled));
  kube::Pod let_go = labelled;  // simulation seed 483: a crash of slurmctld brought its job back
  let_go.status.phase = "Succeeded";
  EXPECT_FALSE(is_orphan(JobId(7), member, &let_go)) << "pod sync releases it";
  let_go.metadata.finalizers.clear();
  EXPECT_TRUE(is_orphan(JobId(7), member, &let_go)) << "it was released once";
  EXPECT_FALSE(is_orphan(JobId(7), member, &unlabelled)) << "its pod is about to take it";
}

kube::Node node(const std::string& name, const std::string& slurm_name = "") {
  kube::Node it;
  it.metadata.name = name;
  if (!slurm_name.empty()) it.metadata.labels[workload::kSlurmNodeNameLabel] = slurm_name;
  return it;
}

TEST(NodeNames, TheLabelDecidesElseTheNameIsTheSame) {
  NodeNames names;
  const kube::Node plain = node("k001");
  const kube::Node labelled = node("ip-10-0-0-1", "gpu-07");
  names.update(nullptr, &plain);
  names.update(nullptr, &labelled);
  EXPECT_EQ(names.kubernetes_name(SlurmNodeName("k001")), kube::NodeName("k001"));
  EXPECT_EQ(names.kubernetes_name(SlurmNodeName("gpu-07")), kube::NodeName("ip-10-0-0-1"));
  EXPECT_EQ(names.kubernetes_name(SlurmNodeName("ip-10-0-0-1")), std::nullopt);

  const kube::Node twin = node("k002", "k001");
  names.update(nullptr, &twin);
  EXPECT_EQ(names.kubernetes_name(SlurmNodeName("k001")), std::nullopt)
      << "two nodes claim one name";
  names.update(&plain, nullptr);
  EXPECT_EQ(names.kubernetes_name(SlurmNodeName("k001")), kube::NodeName("k002"));
}

TEST(PodWrites, TheLabelIsConditionalAndKeepsWhatOthersWrote) {
  kube::Pod pod = a_pod();
  pod.metadata.finalizers = {"other/finalizer"};
  pod.spec.tolerations = {{"gpu", "Exists", "", "NoSchedule", 30}};
  EXPECT_EQ(
      json::Value(label_patch(pod, JobId(7), kBridge.scheduler)).dump(),
      R"({"metadata":{"uid":"u-1","resourceVersion":"7",)"
      R"("labels":{"scheduler.slinky.slurm.net/slurm-jobid":"7"},)"
      R"("finalizers":["other/finalizer","scheduler.slinky.slurm.net/finalizer"]},)"
      R"("spec":{"tolerations":[{"key":"gpu","operator":"Exists","effect":"NoSchedule","tolerationSeconds":30},)"
      R"({"key":"slinky.slurm.net/managed-node","operator":"Equal","value":"slurm-bridge-scheduler",)"
      R"("effect":"NoExecute"}]}})");
}

TEST(PodWrites, WhatIsThereIsNotAddedAgain) {
  kube::Pod pod = a_pod().job(5);
  pod.spec.tolerations = {
      {workload::kTaintKey, "Equal", kBridge.scheduler, "NoExecute", std::nullopt}};
  EXPECT_EQ(json::Value(label_patch(pod, JobId(7), kBridge.scheduler)).dump(),
            R"({"metadata":{"uid":"u-1","resourceVersion":"7",)"
            R"("labels":{"scheduler.slinky.slurm.net/slurm-jobid":"7"},)"
            R"("finalizers":["scheduler.slinky.slurm.net/finalizer"]}})");
}

TEST(PodWrites, OnlyOurFinalizerIsTakenOff) {
  kube::Pod pod = a_pod();
  pod.metadata.finalizers = {"other/finalizer", workload::kFinalizer};
  EXPECT_EQ(
      json::Value(unfinalize_patch(pod)).dump(),
      R"([{"op":"test","path":"/metadata/uid","value":"u-1"},)"
      R"({"op":"test","path":"/metadata/finalizers/1","value":"scheduler.slinky.slurm.net/finalizer"},)"
      R"({"op":"remove","path":"/metadata/finalizers/1"}])");
}

TEST(PodWrites, AConditionThatIsThereIsNotWrittenAgain) {
  kube::Pod pod = a_pod();
  const Explanation why{Cause::waiting, "Waiting in Slurm (job 7)."};
  EXPECT_FALSE(shows(pod, why));
  pod.status.conditions = {{"PodScheduled", "False", why.reason(), why.message, ""}};
  EXPECT_TRUE(shows(pod, why));
  EXPECT_FALSE(shows(pod, {Cause::waiting, "Waiting in Slurm (job 8)."}));
}

TEST(PodWrites, ALossOutlivesADoubtAndIsOverWhenTheJobIsKnownAgain) {
  const base::WallTime first(std::chrono::seconds(1'700'000'000));
  const base::WallTime later = first + std::chrono::hours(1);
  kube::Pod pod = a_pod().job(7).on("k001");
  const auto patch = [&](JobShown job, base::WallTime now) {
    const auto made = job_known_patch(pod, job, now);
    return made ? json::Value(*made).dump() : "";
  };
  const auto says = [&](std::string status, std::string reason) {
    pod.status.conditions = {{.type = workload::kJobKnownCondition,
                              .status = std::move(status),
                              .reason = std::move(reason),
                              .message = "",
                              .lastTransitionTime = base::format_rfc3339(first)}};
  };
  EXPECT_EQ(patch(JobShown::known, first), "") << "nobody has doubted it";
  EXPECT_THAT(patch(JobShown::unknown, first), HasSubstr("UnknownToSlurm"));
  EXPECT_FALSE(shows_loss(pod));
  says("False", "UnknownToSlurm");
  EXPECT_EQ(patch(JobShown::unknown, later), "");
  EXPECT_FALSE(shows_loss(pod));
  EXPECT_THAT(patch(JobShown::lost, later), HasSubstr("LostBySlurm"));
  EXPECT_THAT(patch(JobShown::lost, later), HasSubstr(base::format_rfc3339(first)))
      << "since then it is not known";
  says("False", "LostBySlurm");
  EXPECT_TRUE(shows_loss(pod));
  EXPECT_EQ(patch(JobShown::lost, later), "");
  EXPECT_EQ(patch(JobShown::unknown, later), "");
  EXPECT_THAT(patch(JobShown::known, later), HasSubstr(base::format_rfc3339(later)));
  says("True", "Known");
  EXPECT_FALSE(shows_loss(pod));
}

}  // namespace
}  // namespace bridge
