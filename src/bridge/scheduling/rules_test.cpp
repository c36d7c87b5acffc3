// SPDX-License-Identifier: Apache-2.0
// Rules for job identity, node names, orphans and the patches of pods.
#include "base/rfc3339.h"
#include "bridge/marks/job_claim.h"
#include "bridge/marks/named_job.h"
#include "bridge/marks/node_names.h"
#include "bridge/marks/pod_conditions.h"
#include "bridge/pods/orphan.h"
#include "bridge/testing/scheduling.h"
#include "bridge/writes/pod_writes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using slurm::JobId;
using slurm::SlurmNodeName;
using testing::a_pod;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kBridge;
using ::testing::Not;

std::string comment(const workload::BridgeIdentity& bridge, const std::string& uid) {
  return workload::admin_comment({bridge, kube::Uid(uid), {{{"a", "train-0"}, kube::Uid(uid)}}});
}

TEST(JobClaim, AJobBelongsToAPodOnlyByUidAndBridge) {
  const kube::Pod pod = a_pod();
  EXPECT_TRUE(marks::is_job_of(comment(kBridge, "u-1"), pod, kBridge));
  EXPECT_FALSE(marks::is_job_of(comment(kBridge, "u-2"), pod, kBridge)) << "the uid of another pod";
  EXPECT_FALSE(marks::is_job_of(comment({"cluster-2", kBridge.scheduler}, "u-1"), pod, kBridge))
      << "a job of another cluster";
  EXPECT_FALSE(marks::is_job_of(comment({kBridge.cluster, "other"}, "u-1"), pod, kBridge))
      << "a job of another scheduler";
  for (const char* foreign : {"", "{}", "null", R"({"pods":[]})", "hello"}) {
    EXPECT_FALSE(marks::is_job_of(foreign, pod, kBridge)) << foreign;
    EXPECT_FALSE(marks::may_be_ours(foreign, kBridge)) << foreign;
  }
}

TEST(JobClaim, AJobOfTheReferenceBelongsToAPodByName) {
  const kube::Pod pod = a_pod();
  EXPECT_TRUE(marks::is_job_of(R"({"pods":["a/train-0"]})", pod, kBridge));
  EXPECT_FALSE(marks::is_job_of(R"({"pods":["b/train-0"]})", pod, kBridge));
  EXPECT_TRUE(marks::may_be_ours(R"({"pods":["b/train-0"]})", kBridge));
  EXPECT_FALSE(marks::may_be_ours(comment({"cluster-2", kBridge.scheduler}, "u-1"), kBridge));
}

// After a crash of slurmctld the id may belong to a job of the reference from another cluster.
TEST(JobClaim, AJobWithoutIdentityDoesNotBelongToAPodWhoseJobHadOne) {
  kube::Pod pod = a_pod().job(7);
  const std::string reference = R"({"pods":["a/train-0"]})";
  EXPECT_TRUE(marks::is_job_of(reference, pod, kBridge)) << "the reference labelled it";
  pod.metadata.annotations[workload::kIdentifiedJobAnnotation] = "7";
  EXPECT_FALSE(marks::is_job_of(reference, pod, kBridge));
  EXPECT_TRUE(marks::is_job_of(comment(kBridge, "u-1"), pod, kBridge));
  pod.metadata.labels[workload::kJobIdLabel] = "8";
  EXPECT_TRUE(marks::is_job_of(reference, pod, kBridge)) << "the reference labelled it again";
}

TEST(NamedJob, IsAPositiveIntegerOrEmpty) {
  const auto named = [](const std::string& label) {
    kube::Pod pod = a_pod();
    pod.metadata.labels[workload::kJobIdLabel] = label;
    return marks::named_job(pod);
  };
  EXPECT_EQ(named("4711"), JobId(4711));
  for (const char* bad : {"", "0", "-1", "7x", " 7", "4294967296", "seven"}) {
    EXPECT_EQ(named(bad), std::nullopt) << bad;
  }
}

TEST(Orphan, IsAJobThatNoPodNeeds) {
  const workload::Member member{{"a", "train-0"}, kube::Uid("u-1")};
  const kube::Pod unlabelled = a_pod();
  const kube::Pod labelled = a_pod().job(7);
  EXPECT_TRUE(pods::is_orphan(JobId(7), member, nullptr)) << "the pod does not exist";
  EXPECT_TRUE(pods::is_orphan(JobId(7), {member.pod, kube::Uid("u-2")}, &labelled))
      << "another pod has the name";
  EXPECT_TRUE(pods::is_orphan(JobId(8), member, &labelled)) << "the pod has another job";
  EXPECT_FALSE(pods::is_orphan(JobId(7), member, &labelled));
  kube::Pod let_go = labelled;  // simulation seed 483: a crash of slurmctld restored its job
  let_go.status.phase = "Succeeded";
  EXPECT_FALSE(pods::is_orphan(JobId(7), member, &let_go)) << "pod sync releases it";
  let_go.metadata.finalizers.clear();
  EXPECT_TRUE(pods::is_orphan(JobId(7), member, &let_go)) << "the job was released before";
  EXPECT_FALSE(pods::is_orphan(JobId(7), member, &unlabelled)) << "the pod may adopt the job";
}

kube::Node node(const std::string& name, const std::string& slurm_name = "") {
  kube::Node it;
  it.metadata.name = name;
  if (!slurm_name.empty()) it.metadata.labels[workload::kSlurmNodeNameLabel] = slurm_name;
  return it;
}

TEST(NodeNames, TheSlurmNameIsTheLabelOrElseTheKubernetesName) {
  marks::NodeNames names;
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
      << "two nodes have the same Slurm name";
  names.update(&plain, nullptr);
  EXPECT_EQ(names.kubernetes_name(SlurmNodeName("k001")), kube::NodeName("k002"));
}

TEST(PodWrites, TheLabelPatchIsConditionalAndKeepsOtherFinalizersAndTolerations) {
  kube::Pod pod = a_pod();
  pod.metadata.finalizers = {"other/finalizer"};
  pod.spec.tolerations = {{"gpu", "Exists", "", "NoSchedule", 30}};
  EXPECT_EQ(
      json::Value(writes::label_patch(pod, JobId(7), kBridge.scheduler)).dump(),
      R"({"metadata":{"uid":"u-1","resourceVersion":"7",)"
      R"("labels":{"scheduler.slinky.slurm.net/slurm-jobid":"7"},)"
      R"("finalizers":["other/finalizer","scheduler.slinky.slurm.net/finalizer"],)"
      R"("annotations":{"slinky.slurm.net/identified-job":"7"}},)"
      R"("spec":{"tolerations":[{"key":"gpu","operator":"Exists","effect":"NoSchedule","tolerationSeconds":30},)"
      R"({"key":"slinky.slurm.net/managed-node","operator":"Equal","value":"slurm-bridge-scheduler",)"
      R"("effect":"NoExecute"}]}})");
}

TEST(PodWrites, AnExistingFinalizerOrTolerationIsNotAddedAgain) {
  kube::Pod pod = a_pod().job(5);
  pod.spec.tolerations = {
      {workload::kTaintKey, "Equal", kBridge.scheduler, "NoExecute", std::nullopt}};
  EXPECT_EQ(json::Value(writes::label_patch(pod, JobId(7), kBridge.scheduler)).dump(),
            R"({"metadata":{"uid":"u-1","resourceVersion":"7",)"
            R"("labels":{"scheduler.slinky.slurm.net/slurm-jobid":"7"},)"
            R"("finalizers":["scheduler.slinky.slurm.net/finalizer"],)"
            R"("annotations":{"slinky.slurm.net/identified-job":"7"}}})");
}

TEST(PodWrites, AJobThatThePodNamesAlreadyMayHaveNoIdentity) {
  const kube::Pod pod = a_pod().job(7);
  EXPECT_THAT(json::Value(writes::label_patch(pod, JobId(7), kBridge.scheduler)).dump(),
              Not(HasSubstr("identified-job")));
  EXPECT_THAT(json::Value(writes::label_patch(pod, JobId(8), kBridge.scheduler)).dump(),
              HasSubstr(R"("slinky.slurm.net/identified-job":"8")"));
  EXPECT_THAT(json::Value(writes::unlabel_patch(pod)).dump(),
              HasSubstr(R"("slinky.slurm.net/identified-job":null)"));
}

TEST(PodWrites, OnlyOurFinalizerIsRemoved) {
  kube::Pod pod = a_pod();
  pod.metadata.finalizers = {"other/finalizer", workload::kFinalizer};
  EXPECT_EQ(
      json::Value(writes::unfinalize_patch(pod)).dump(),
      R"([{"op":"test","path":"/metadata/uid","value":"u-1"},)"
      R"({"op":"test","path":"/metadata/finalizers/1","value":"scheduler.slinky.slurm.net/finalizer"},)"
      R"({"op":"remove","path":"/metadata/finalizers/1"}])");
}

TEST(PodWrites, TheFinalizerOfTheReferencesFirstVersionsIsRemovedWithOurs) {
  kube::Pod pod = a_pod();
  pod.metadata.finalizers = {workload::kFinalizer, "other/finalizer", workload::kOldFinalizer};
  EXPECT_EQ(
      json::Value(writes::unfinalize_patch(pod)).dump(),
      R"([{"op":"test","path":"/metadata/uid","value":"u-1"},)"
      R"({"op":"test","path":"/metadata/finalizers/2","value":"scheduler.slurm.net/finalizer"},)"
      R"({"op":"remove","path":"/metadata/finalizers/2"},)"
      R"({"op":"test","path":"/metadata/finalizers/0","value":"scheduler.slinky.slurm.net/finalizer"},)"
      R"({"op":"remove","path":"/metadata/finalizers/0"}])");
}

TEST(PodWrites, AnExistingConditionIsRecognized) {
  kube::Pod pod = a_pod();
  const writes::Explanation why{writes::Cause::waiting, "Waiting in Slurm (job 7)."};
  EXPECT_FALSE(shows(pod, why));
  pod.status.conditions = {{"PodScheduled", "False", why.reason(), why.message, ""}};
  EXPECT_TRUE(shows(pod, why));
  EXPECT_FALSE(writes::shows(pod, {writes::Cause::waiting, "Waiting in Slurm (job 8)."}));
}

// A status write that the API server executes late (504) must not replace a newer message.
TEST(PodWrites, EveryConditionIsConditionalOnTheVersionThatWasRead) {
  const base::WallTime now(std::chrono::seconds(1'700'000'000));
  const kube::Pod pod = a_pod().job(7).on("k001");
  const state::JobEnded preempted{
      JobId(7), "Slurm job 7 was preempted", state::JobEnded::By::state, "PreemptedBySlurm"};
  const auto text = [](const std::optional<json::Object>& patch) {
    return patch ? json::Value(*patch).dump() : "";
  };
  const char* version = R"("metadata":{"uid":"u-1","resourceVersion":"7"})";
  EXPECT_THAT(
      text(writes::condition_patch(pod, {writes::Cause::waiting, "Waiting in Slurm (job 7)."})),
      HasSubstr(version));
  EXPECT_THAT(text(writes::disruption_patch(pod, preempted, now)), HasSubstr(version));
  EXPECT_THAT(text(job_known_patch(pod, writes::JobShown::unknown, now)), HasSubstr(version));
}

TEST(PodWrites, ALossReplacesADoubtAndEndsWhenTheJobIsKnownAgain) {
  const base::WallTime first(std::chrono::seconds(1'700'000'000));
  const base::WallTime later = first + std::chrono::hours(1);
  kube::Pod pod = a_pod().job(7).on("k001");
  const auto patch = [&](writes::JobShown job, base::WallTime now) {
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
  EXPECT_EQ(patch(writes::JobShown::known, first), "") << "the job was not in doubt";
  EXPECT_THAT(patch(writes::JobShown::unknown, first), HasSubstr("UnknownToSlurm"));
  EXPECT_FALSE(marks::shows_loss(pod));
  says("False", "UnknownToSlurm");
  EXPECT_EQ(patch(writes::JobShown::unknown, later), "");
  EXPECT_FALSE(marks::shows_loss(pod));
  EXPECT_THAT(patch(writes::JobShown::lost, later), HasSubstr("LostBySlurm"));
  EXPECT_THAT(patch(writes::JobShown::lost, later), HasSubstr(base::format_rfc3339(first)))
      << "the job is unknown since then";
  says("False", "LostBySlurm");
  EXPECT_TRUE(marks::shows_loss(pod));
  EXPECT_EQ(patch(writes::JobShown::lost, later), "");
  EXPECT_EQ(patch(writes::JobShown::unknown, later), "");
  EXPECT_THAT(patch(writes::JobShown::known, later), HasSubstr(base::format_rfc3339(later)));
  says("True", "Known");
  EXPECT_FALSE(marks::shows_loss(pod));
}

}  // namespace
}  // namespace bridge::scheduling
