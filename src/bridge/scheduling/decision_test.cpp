// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/decision.h"

#include "bridge/marks/named_job.h"
#include "bridge/testing/scheduling.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using base::Error;
using base::Kind;
using slurm::JobId;
using slurm::JobState;
using slurm::JobView;
using testing::a_pod;
using ::testing::HasSubstr;
using testing::known;
using testing::unknown;

const base::Result<slurm::JobRequest> kRequest{slurm::JobRequest()};

std::string text(const Decision& decision) {
  std::string text = std::visit(
      [](const auto& step) -> std::string {
        using T = std::decay_t<decltype(step)>;
        if constexpr (std::is_same_v<T, Nothing>) return "nothing";
        if constexpr (std::is_same_v<T, LookForJob>) return "look";
        if constexpr (std::is_same_v<T, AwaitAnswer>) return "await answer";
        if constexpr (std::is_same_v<T, PrepareSubmit>) return "prepare";
        if constexpr (std::is_same_v<T, Submit>) return "submit";
        if constexpr (std::is_same_v<T, Label>) return fmt::format("label {}", step.job);
        if constexpr (std::is_same_v<T, Bind>)
          return fmt::format("bind {} to {}", step.job, step.node);
        if constexpr (std::is_same_v<T, PrepareVolumes>)
          return fmt::format("prepare volumes on {}", step.node);
        if constexpr (std::is_same_v<T, ReleaseUnlabelled>)
          return fmt::format("release unlabelled {}", step.job);
        if constexpr (std::is_same_v<T, CancelOwn>) return fmt::format("cancel own {}", step.job);
        if constexpr (std::is_same_v<T, StartOver>) return "start over";
        if constexpr (std::is_same_v<T, ReleaseAndResubmit>)
          return fmt::format("give back {} on {}", step.job, step.node);
      },
      decision.step);
  if (decision.explanation) text += ", " + decision.explanation->reason();
  return text;
}

struct Case {
  explicit Case(kube::Pod of) : pod(std::move(of)), facts(pod) {
    facts.named = marks::named_job(pod);
    facts.request = &kRequest;
    facts.nothing_overlooked = true;
    facts.around.older_job = slurm::JobId(1);
  }
  Case& job(JobView of) {
    view = std::move(of);
    facts.view = &view;
    facts.named_is_ours = true;
    facts.view_is_fresh = true;
    return *this;
  }
  std::string decide() const { return text(next_scheduling_step(facts)); }

  kube::Pod pod;
  JobView view;
  PodFacts facts;
};

TEST(Scheduling, APodWithoutAJobIsPreparedAndThenSubmittedAsPrepared) {
  Case it(a_pod());
  EXPECT_EQ(it.decide(), "prepare");
  slurm::JobRequest prepared;
  prepared.excluded_nodes = {slurm::SlurmNodeName("k009")};
  it.facts.prepared = &prepared;
  ASSERT_EQ(it.decide(), "submit");
  EXPECT_EQ(std::get<Submit>(next_scheduling_step(it.facts).step).request.excluded_nodes,
            prepared.excluded_nodes);
}

TEST(Scheduling, APreparedRequestIsNotSubmittedWithAFoundJobARefusalOrASubmitBlocker) {
  const slurm::JobRequest prepared;
  Case it(a_pod());
  it.facts.prepared = &prepared;
  it.facts.nothing_overlooked = false;
  EXPECT_EQ(it.decide(), "look");
  it.facts.nothing_overlooked = true;
  it.facts.found = JobId(5);
  EXPECT_EQ(it.decide(), "label 5");
  it.facts.found.reset();
  it.facts.refusal = Error(Kind::refused, "Invalid qos");
  EXPECT_EQ(it.decide(), "nothing, RefusedBySlurm");
  it.facts.refusal.reset();
  it.facts.submit_blocker = explain(writes::Cause::volumes_missing, "no claim");
  EXPECT_EQ(it.decide(), "nothing, VolumesNotReady");
}

TEST(Scheduling, NoJobIsSubmittedBeforeAScanOfAllJobs) {
  Case it(a_pod());
  it.facts.nothing_overlooked = false;
  EXPECT_EQ(it.decide(), "look");
}

TEST(Scheduling, ASubmittedJobIsWrittenToThePodsLabel) {
  Case it(a_pod());
  it.facts.made = JobId(7);
  EXPECT_EQ(it.decide(), "label 7");
}

TEST(Scheduling, AFoundJobIsAdoptedInsteadOfSubmittingAnother) {
  Case it(a_pod());
  it.facts.found = JobId(5);
  EXPECT_EQ(it.decide(), "label 5");
  it.facts.nothing_overlooked = false;
  EXPECT_EQ(it.decide(), "look") << "an older job may be found";
}

TEST(Scheduling, ARunningJobBindsItsPod) {
  Case it(a_pod().job(7));
  it.job(known(JobState::running, {"k001"}));
  it.facts.node = kube::NodeName("node-1");
  EXPECT_EQ(it.decide(), "bind 7 to node-1");
  it.facts.bind_accepted = true;
  EXPECT_EQ(it.decide(), "nothing");
}

// Simulation seed 810: a process that had been stopped bound pods with outdated views.
TEST(Scheduling, NoPodIsBoundWithAnOutdatedViewOfItsJob) {
  Case it(a_pod().job(7));
  it.job(known(JobState::running, {"k001"}));
  it.facts.node = kube::NodeName("k001");
  EXPECT_EQ(it.decide(), "bind 7 to k001");
  it.facts.view_is_fresh = false;
  EXPECT_EQ(it.decide(), "await answer");
}

TEST(Scheduling, AnUnboundPodGetsANewJobAfterItsJobWasUnknownToSlurmForTenSeconds) {
  Case it(a_pod().job(7));
  it.facts.around.older_job = {};
  it.job(unknown(100, std::chrono::milliseconds(9999)));
  EXPECT_EQ(it.decide(), "nothing") << "many answers, but within ten seconds";
  it.job(unknown(2, std::chrono::seconds(10)));
  EXPECT_EQ(it.decide(), "start over");
}

TEST(Scheduling, NoPodIsBoundWithoutTheFinalizer) {
  Case it(a_pod().job(7));
  it.pod.metadata.finalizers.clear();
  it.job(known(JobState::running, {"k001"}));
  it.facts.node = kube::NodeName("node-1");
  EXPECT_EQ(it.decide(), "label 7");
}

TEST(Scheduling, APodWaitsUntilTheNodesOfItsRunningJobAreKnown) {
  EXPECT_EQ(Case(a_pod().job(7)).job(known(JobState::running)).decide(), "await answer");
}

TEST(Scheduling, ANodeThatKubernetesDoesNotHaveIsExplained) {
  Case it(a_pod().job(7));
  it.job(known(JobState::running, {"k001"}));
  EXPECT_EQ(it.decide(), "nothing, NodeUnknown");
  EXPECT_THAT(next_scheduling_step(it.facts).explanation->message,
              HasSubstr("slinky.slurm.net/slurm-nodename=k001"));
}

TEST(Scheduling, APendingJobIsExplainedAsWaitingInSlurm) {
  Case it(a_pod().job(7));
  it.job(known(JobState::pending));
  EXPECT_EQ(it.decide(), "nothing, WaitingInSlurm");
  EXPECT_THAT(next_scheduling_step(it.facts).explanation->message, HasSubstr("job 7"));
}

TEST(Scheduling, AJobThatEndedBeforeTheBindIsReplaced) {
  for (const JobState state : {JobState::completed,
                               JobState::failed,
                               JobState::timeout,
                               JobState::node_fail,
                               JobState::preempted}) {
    EXPECT_EQ(Case(a_pod().job(7)).job(known(state)).decide(), "start over") << name(state);
  }
  Case purged(a_pod().job(7));
  purged.job(unknown(2));
  purged.facts.named_is_ours.reset();
  EXPECT_EQ(purged.decide(), "start over");
}

TEST(Scheduling, ACancelledOrSuspendedJobIsNotReplaced) {
  EXPECT_EQ(Case(a_pod().job(7)).job(known(JobState::cancelled)).decide(), "nothing, JobCancelled");
  EXPECT_EQ(Case(a_pod().job(7)).job(known(JobState::suspended)).decide(),
            "nothing, WaitingInSlurm");
}

TEST(Scheduling, IfSlurmKnowsNoneOfOurJobsNoneIsReplaced) {
  Case it(a_pod().job(7));
  it.job(unknown(9, std::chrono::seconds(9)));
  it.facts.around.older_job = {};
  EXPECT_EQ(it.decide(), "nothing");
}

TEST(Scheduling, ALabelWithAJobOfAnotherPodIsRemoved) {
  Case it(a_pod().job(7));
  it.job(known(JobState::running, {"k001"}));
  it.facts.node = kube::NodeName("node-1");
  it.facts.named_is_ours = false;
  EXPECT_EQ(it.decide(), "start over");
  it.facts.named_is_ours.reset();
  EXPECT_EQ(it.decide(), "await answer");
}

TEST(Scheduling, OfTwoSubmittedJobsTheOneThatThePodNamesIsKept) {
  Case it(a_pod().job(7));
  it.job(known(JobState::pending));
  it.facts.made = JobId(8);
  EXPECT_EQ(it.decide(), "cancel own 8");
  it.facts.made = JobId(7);
  EXPECT_EQ(it.decide(), "nothing, WaitingInSlurm");
}

TEST(Scheduling, ASurplusJobIsCancelledAlsoForABoundPod) {
  Case it(a_pod().job(7).on("k001"));
  it.job(known(JobState::running));
  EXPECT_EQ(it.decide(), "nothing");
  it.facts.made = JobId(8);
  EXPECT_EQ(it.decide(), "cancel own 8");
}

TEST(Scheduling, RefusalsAndInvalidRequestsAreExplainedAndNotSubmitted) {
  Case refused(a_pod());
  refused.facts.refusal = Error(Kind::refused, "Invalid partition name specified");
  EXPECT_EQ(refused.decide(), "nothing, RefusedBySlurm");

  const base::Result<slurm::JobRequest> mistake{Error(Kind::invalid, "timelimit: no")};
  Case invalid(a_pod());
  invalid.facts.request = &mistake;
  EXPECT_EQ(invalid.decide(), "nothing, InvalidRequest");
  EXPECT_EQ(next_scheduling_step(invalid.facts).explanation->message, "timelimit: no");
}

TEST(Scheduling, ABoundEndedDeletedOrGatedPodNeedsNoStep) {
  EXPECT_EQ(Case(a_pod().on("k001")).decide(), "nothing");
  EXPECT_EQ(Case(a_pod().phase("Failed")).decide(), "nothing");
  EXPECT_EQ(Case(a_pod().deleting()).decide(), "nothing");
  Case gated(a_pod());
  gated.pod.spec.schedulingGates.push_back({"wait"});
  EXPECT_EQ(gated.decide(), "nothing");
}

// A pod whose job has node k001, with the same name in Kubernetes.
Case placed() {
  Case it(a_pod().job(7));
  it.facts.node = kube::NodeName("k001");
  return it;
}

TEST(Scheduling, APodIsHeldWhileItsNodeCannotRunItAtMostForHoldSeconds) {
  Case it = placed();
  it.job(known(JobState::running, {"k001"}));
  it.facts.node_not_now = explain(writes::Cause::node_cannot, "it is cordoned");
  EXPECT_EQ(it.decide(), "nothing, HeldForNode");
  it.facts.held_long_enough = true;
  EXPECT_EQ(it.decide(), "give back 7 on k001");
}

TEST(Scheduling, AJobIsReleasedIfTheApiServerRefusesWritesPastTheHold) {
  Case it = placed();
  it.job(known(JobState::running, {"k001"}));
  it.facts.write_refused_past_hold = "the API server refuses a write";
  EXPECT_EQ(it.decide(), "give back 7 on k001");
  EXPECT_EQ(std::get<ReleaseAndResubmit>(next_scheduling_step(it.facts).step).cause,
            writes::Cause::write_refused);
}

TEST(Scheduling, AJobWhoseLabelIsRefusedIsReleasedOnceItUsesANode) {
  Case it(a_pod());
  it.facts.made = JobId(7);
  it.facts.write_refused_past_hold = "the API server refuses a write";
  EXPECT_EQ(it.decide(), "label 7") << "a pending job uses no node";
  it.facts.unlabelled_job_runs = true;
  EXPECT_EQ(it.decide(), "release unlabelled 7");
  it.facts.write_refused_past_hold.reset();
  EXPECT_EQ(it.decide(), "label 7");
}

struct VolumeRow {
  std::string_view situation;
  std::optional<VolumeReadiness> volumes;
  bool held_long_enough;
  std::string_view want;
  writes::Cause cause = writes::Cause::waiting;  // of a release
};

TEST(Scheduling, VolumesAreReadyBeforeTheBindOrTheJobIsReleased) {
  const VolumeReadiness ready;
  const VolumeReadiness never{.never = "the volume is on k002", .in_use = {}, .pending = {}};
  const VolumeReadiness in_use{.never = {}, .in_use = "pod a/b uses claim c", .pending = {}};
  const VolumeReadiness pending{.never = {}, .in_use = {}, .pending = "being made"};
  const VolumeRow kRows[] = {
      {"not read yet", std::nullopt, false, "prepare volumes on k001"},
      {"ready", ready, false, "bind 7 to k001"},
      {"ready after a long hold", ready, true, "bind 7 to k001"},
      {"elsewhere", never, false, "give back 7 on k001", writes::Cause::node_never},
      {"in use", in_use, false, "nothing, VolumesNotReady"},
      {"in use for long", in_use, true, "give back 7 on k001", writes::Cause::volumes_missing},
      {"pending", pending, false, "nothing, VolumesNotReady"},
      {"pending for long", pending, true, "give back 7 on k001", writes::Cause::node_never},
  };
  for (const VolumeRow& row : kRows) {
    Case it = placed();
    it.job(known(JobState::running, {"k001"}));
    it.facts.has_claims = true;
    it.facts.volumes = row.volumes;
    it.facts.held_long_enough = row.held_long_enough;
    const Decision decision = next_scheduling_step(it.facts);
    EXPECT_EQ(text(decision), row.want) << row.situation;
    if (const auto* release = std::get_if<ReleaseAndResubmit>(&decision.step))
      EXPECT_EQ(release->cause, row.cause) << row.situation;
  }
}

TEST(Scheduling, AJobOnANodeThatCanNeverRunThePodIsReleasedAtOnce) {
  Case it = placed();
  it.job(known(JobState::running, {"k001"}));
  it.facts.node_never = "nodeSelector requires disk=ssd";
  EXPECT_EQ(it.decide(), "give back 7 on k001");
}

TEST(Scheduling, AReleasedJobIsCancelledBeforeAnotherIsSubmitted) {
  Case it(a_pod());
  it.facts.returned = JobId(7);
  EXPECT_EQ(it.decide(), "cancel own 7");
}

TEST(Scheduling, AJobOnANodeThatKubernetesDoesNotHaveIsHeldAndThenReleased) {
  Case it(a_pod().job(7));
  it.job(known(JobState::running, {"k009"}));
  EXPECT_EQ(it.decide(), "nothing, NodeUnknown");
  it.facts.held_long_enough = true;
  EXPECT_EQ(it.decide(), "give back 7 on k009");
}

TEST(Scheduling, APodThatFitsNoNodeIsNotSubmitted) {
  Case it(a_pod());
  it.facts.submit_blocker = explain(writes::Cause::no_node_fits, "No node can take this pod");
  EXPECT_EQ(it.decide(), "nothing, NoNodeFits");
}

TEST(Scheduling, AWaitingPodShowsSlurmsReason) {
  Case it(a_pod().job(7));
  it.job(known(JobState::pending));
  it.facts.waiting_reason = "Priority (jobs with a higher priority come first)";
  const Decision decision = next_scheduling_step(it.facts);
  EXPECT_EQ(
      decision.explanation,
      explain(writes::Cause::waiting,
              "Waiting in Slurm (job 7): Priority (jobs with a higher priority come first)."));
}

TEST(Scheduling, TheExplanationOfAPreviousProcessIsKeptUntilSlurmsReasonIsRead) {
  kube::Pod pod = a_pod().job(7);
  pod.status.conditions.push_back({.type = "PodScheduled",
                                   .status = "False",
                                   .reason = "WaitingInSlurm",
                                   .message = "Waiting in Slurm (job 7): Licenses.",
                                   .lastTransitionTime = ""});
  Case it(pod);
  it.job(known(JobState::pending));
  EXPECT_EQ(it.decide(), "nothing");
  it.facts.waiting_reason = "Priority";
  EXPECT_EQ(it.decide(), "nothing, WaitingInSlurm");
  it.facts.waiting_reason.clear();
  pod.status.conditions[0].message = "Waiting in Slurm (job 71).";
  Case other(pod);
  other.job(known(JobState::pending));
  EXPECT_EQ(other.decide(), "nothing, WaitingInSlurm") << "that explanation is about another job";
}

TEST(Scheduling, ARemovedLabelOfARunningPodIsRestored) {
  Case it(a_pod().on("k001"));
  EXPECT_EQ(it.decide(), "nothing");
  it.facts.found = JobId(7);
  EXPECT_EQ(it.decide(), "label 7");
}

TEST(Scheduling, ARunningPodWithALostJobGetsANewJobOnItsNodeIfAnnotated) {
  Case it(a_pod().job(7).on("k001"));
  it.job(unknown(5));
  it.facts.own_node = slurm::SlurmNodeName("k001");
  EXPECT_EQ(it.decide(), "nothing");
  it.pod.metadata.annotations[workload::kReserveAgainAnnotation] = "true";
  const Decision decision = next_scheduling_step(it.facts);
  ASSERT_EQ(text(decision), "prepare");
  EXPECT_EQ(std::get<PrepareSubmit>(decision.step).request.required_nodes,
            std::vector{slurm::SlurmNodeName("k001")});
  const slurm::JobRequest prepared = std::get<PrepareSubmit>(decision.step).request;
  it.facts.prepared = &prepared;
  EXPECT_EQ(it.decide(), "submit");
  it.facts.submit_blocker = explain(writes::Cause::refused, "its name is too long");
  EXPECT_EQ(it.decide(), "nothing") << "a blocked request is not submitted";
  it.facts.submit_blocker.reset();
  it.facts.made = JobId(8);
  EXPECT_EQ(it.decide(), "label 8");
  it.job(known(JobState::running, {"k001"}));
  it.facts.made.reset();
  EXPECT_EQ(it.decide(), "nothing") << "Slurm knows the job";
  it.facts.named_is_ours = false;
  EXPECT_EQ(it.decide(), "nothing") << "a user may have changed its admin_comment";
  it.facts.job_id_was_reused = true;
  EXPECT_EQ(it.decide(), "submit") << "Slurm reused the job id";
}

}  // namespace
}  // namespace bridge::scheduling
