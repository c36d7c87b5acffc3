// SPDX-License-Identifier: Apache-2.0
#include "bridge/pods/sync.h"

#include "bridge/marks/named_job.h"
#include "bridge/testing/scheduling.h"

#include <gtest/gtest.h>

namespace bridge::pods {
namespace {

using slurm::JobState;
using slurm::JobView;
using testing::a_pod;
using testing::known;
using testing::unknown;

std::string text(const SyncStep& step) {
  if (const auto* remove = std::get_if<Remove>(&step))
    return "remove: " + remove->because.statement;
  if (const auto* release = std::get_if<Release>(&step)) {
    return release->job ? "release " + std::to_string(release->job->value()) : "let go";
  }
  return "keep";
}

struct Row {
  const char* cause;
  kube::Pod pod;
  std::optional<JobView> view;
  std::optional<bool> ours;
  const char* want;
};

const Row kRows[] = {
    {"waits for its job", a_pod().job(7), known(JobState::pending), true, "keep"},
    {"runs, its job too", a_pod().job(7).on("k001"), known(JobState::running), true, "keep"},
    {"runs, Slurm has not been asked", a_pod().job(7).on("k001"), std::nullopt, true, "keep"},
    {"runs, its job was cancelled",
     a_pod().job(7).on("k001"),
     known(JobState::cancelled),
     true,
     "remove: Slurm job 7 was cancelled"},
    {"runs, its job was preempted",
     a_pod().job(7).on("k001"),
     known(JobState::preempted),
     true,
     "remove: Slurm job 7 was preempted"},
    {"runs, Slurm forgot the job but knows others",
     a_pod().job(7).on("k001"),
     unknown(2),
     std::nullopt,
     "remove: Slurm no longer knows job 7"},
    {"runs, a job that is not its own was cancelled",
     a_pod().job(7).on("k001"),
     known(JobState::cancelled),
     false,
     "keep"},
    {"runs, whose job it is has not been said",
     a_pod().job(7).on("k001"),
     known(JobState::cancelled),
     std::nullopt,
     "keep"},
    {"waits, its job was cancelled",
     a_pod().job(7),
     known(JobState::cancelled),
     true,
     "remove: Slurm job 7 was cancelled"},
    {"waits, its job lost its node", a_pod().job(7), known(JobState::node_fail), true, "keep"},
    {"waits, Slurm forgot the job", a_pod().job(7), unknown(3), std::nullopt, "keep"},
    {"has no job", a_pod(), std::nullopt, std::nullopt, "keep"},
    {"ended, its job runs",
     a_pod().job(7).on("k001").phase("Succeeded"),
     known(JobState::running),
     true,
     "release 7"},
    {"failed, its job runs",
     a_pod().job(7).on("k001").phase("Failed"),
     known(JobState::running),
     true,
     "release 7"},
    {"ended, its job ended",
     a_pod().job(7).on("k001").phase("Succeeded"),
     known(JobState::timeout),
     true,
     "let go"},
    {"ended, Slurm forgot the job",
     a_pod().job(7).on("k001").phase("Succeeded"),
     unknown(1),
     std::nullopt,
     "let go"},
    {"ended, Slurm does not answer",
     a_pod().job(7).on("k001").phase("Succeeded"),
     JobView(),
     true,
     "keep"},
    {"ended, the job is somebody else's",
     a_pod().job(7).on("k001").phase("Succeeded"),
     known(JobState::running),
     false,
     "let go"},
    {"ended, whose job it is has not been said",
     a_pod().job(7).on("k001").phase("Succeeded"),
     known(JobState::running),
     std::nullopt,
     "keep"},
    {"is being deleted while it runs",
     a_pod().job(7).on("k001").deleting(),
     known(JobState::running),
     true,
     "keep"},
    {"is being deleted while it runs, job cancelled",
     a_pod().job(7).on("k001").deleting(),
     known(JobState::cancelled),
     true,
     "keep"},
    {"was deleted before it was bound",
     a_pod().job(7).deleting(),
     known(JobState::pending),
     true,
     "release 7"},
    {"was deleted and has ended",
     a_pod().job(7).on("k001").phase("Failed").deleting(),
     known(JobState::running),
     true,
     "release 7"},
};

TEST(PodSync, KeepsPodAndJobConsistent) {
  for (const Row& row : kRows) {
    SyncFacts facts(row.pod);
    facts.named = marks::named_job(row.pod);
    facts.named_is_ours = row.ours;
    facts.view = row.view ? &*row.view : nullptr;
    facts.around = {.older_job = slurm::JobId(1)};
    EXPECT_EQ(text(next_sync_step(facts)), row.want) << row.cause;
  }
}

struct BoundRow {
  const char* cause;
  JobView view;
  std::optional<bool> has_its_node;
  bool only_pod;
  bool for_good;
  std::optional<state::JobEnded> accounted;
  const char* want;
  const char* disruption;
};

const std::optional<state::JobEnded> kNone;

const BoundRow kBoundRows[] = {
    {"its job was preempted",
     known(JobState::preempted),
     std::nullopt,
     true,
     false,
     kNone,
     "remove: Slurm job 7 was preempted",
     "PreemptedBySlurm"},
    {"its job's node failed",
     known(JobState::node_fail),
     std::nullopt,
     true,
     false,
     kNone,
     "remove: Slurm job 7 lost its node",
     "NodeFailedInSlurm"},
    {"its job was suspended",
     known(JobState::suspended),
     std::nullopt,
     true,
     false,
     kNone,
     "remove: Slurm job 7 was suspended",
     "SuspendedBySlurm"},
    {"its job ran into its time limit",
     known(JobState::timeout),
     std::nullopt,
     true,
     false,
     kNone,
     "remove: Slurm job 7 reached its time limit",
     ""},
    {"its job was cancelled",
     known(JobState::cancelled),
     std::nullopt,
     true,
     false,
     kNone,
     "remove: Slurm job 7 was cancelled",
     ""},
    {"its job runs, with this node",
     known(JobState::running, {"k001"}),
     true,
     true,
     false,
     kNone,
     "keep",
     ""},
    {"its job, of several pods, shrank away from this node",
     known(JobState::running, {"k002"}),
     false,
     false,
     false,
     kNone,
     "remove: Slurm job 7 no longer has this pod's node",
     "NodeTakenBySlurm"},
    {"its job has just been started a second time, on another node",
     known(JobState::running, {"k002"}),
     false,
     true,
     false,
     kNone,
     "keep",
     ""},
    {"its job was started a second time, on another node",
     known(JobState::running, {"k002"}),
     false,
     true,
     true,
     kNone,
     "remove: Slurm job 7 no longer has this pod's node",
     "NodeTakenBySlurm"},
    {"its job runs on nodes that we cannot name",
     known(JobState::running, {"k009"}),
     std::nullopt,
     true,
     false,
     kNone,
     "keep",
     ""},
    {"its job runs, nobody has said where",
     known(JobState::running),
     std::nullopt,
     true,
     false,
     kNone,
     "keep",
     ""},
    {"its job has just gone back into the queue",
     known(JobState::pending),
     std::nullopt,
     true,
     false,
     kNone,
     "keep",
     ""},
    {"its job was requeued",
     known(JobState::pending),
     std::nullopt,
     true,
     true,
     kNone,
     "remove: Slurm job 7 waits again and has no node any more",
     "RequeuedBySlurm"},
    {"Slurm forgot the job, accounting has nothing to say",
     unknown(5),
     std::nullopt,
     true,
     false,
     kNone,
     "keep",
     ""},
    {"Slurm forgot the job, accounting remembers its end",
     unknown(5),
     std::nullopt,
     true,
     false,
     state::accounted_end(slurm::JobId(7), JobState::timeout),
     "remove: Slurm job 7 reached its time limit, as accounting remembers",
     ""},
    {"Slurm says a word that we do not know",
     known(JobState::unknown),
     std::nullopt,
     true,
     false,
     kNone,
     "keep",
     ""},
};

TEST(PodSync, ABoundPodIsRemovedWhenItsJobDoesNotHoldItsNode) {
  const kube::Pod pod = a_pod().job(7).on("k001");
  for (const BoundRow& row : kBoundRows) {
    SyncFacts facts(pod);
    facts.named = marks::named_job(pod);
    facts.named_is_ours = true;
    facts.view = &row.view;
    facts.has_its_node = row.has_its_node;
    facts.is_only_pod = row.only_pod;
    facts.lost_node_for_good = row.for_good;
    facts.accounted = row.accounted;
    const SyncStep step = next_sync_step(facts);
    EXPECT_EQ(text(step), row.want) << row.cause;
    if (const auto* remove = std::get_if<Remove>(&step))
      EXPECT_EQ(remove->because.disruption, row.disruption) << row.cause;
  }
}

TEST(PodSync, AFailedNodeInAccountingProvesNothing) {
  // slurmdbd records NODE_FAIL for every job when a slurmctld registers without its state.
  EXPECT_FALSE(state::accounted_end(slurm::JobId(7), JobState::node_fail));
  EXPECT_FALSE(state::accounted_end(slurm::JobId(7), JobState::running));
  EXPECT_FALSE(state::accounted_end(slurm::JobId(7), JobState::unknown));
}

TEST(PodSync, APodOnADeadNodeReleasesItsJobOnlyAfterTheNodeIsDrained) {
  const kube::Pod pod = a_pod().job(7).on("k001").deleting();
  const JobView view = known(JobState::running, {"k001"});
  SyncFacts facts(pod);
  facts.named = marks::named_job(pod);
  facts.named_is_ours = true;
  facts.view = &view;
  EXPECT_EQ(text(next_sync_step(facts)), "keep");
  facts.node_is_dead = true;
  EXPECT_EQ(text(next_sync_step(facts)), "keep");
  facts.node_is_drained = true;
  EXPECT_EQ(text(next_sync_step(facts)), "release 7");
}

TEST(PodSync, OnlyARunningPodWithoutAnyProofIsInDoubt) {
  const kube::Pod pod = a_pod().job(7).on("k001");
  const JobView forgotten = unknown(2);
  SyncFacts facts(pod);
  facts.named = marks::named_job(pod);
  facts.view = &forgotten;
  EXPECT_TRUE(is_in_doubt(facts));
  facts.accounted = state::accounted_end(slurm::JobId(7), JobState::cancelled);
  EXPECT_FALSE(is_in_doubt(facts));
  facts.accounted.reset();
  const JobView once = unknown(1);
  facts.view = &once;
  EXPECT_FALSE(is_in_doubt(facts));
  const JobView runs = known(JobState::running);
  facts.view = &runs;
  EXPECT_FALSE(is_in_doubt(facts));
}

TEST(PodSync, APodWithAReusedJobIdIsInDoubtUnlessOtherJobsOrAccountingProveTheEnd) {
  const kube::Pod pod = a_pod().job(7).on("k001");
  SyncFacts facts(pod);
  facts.named = marks::named_job(pod);
  facts.named_is_ours = false;
  facts.job_id_was_reused = true;
  // Even if the other job with this id has ended.
  for (const JobState state : {JobState::running, JobState::cancelled}) {
    const JobView another = known(state);
    facts.view = &another;
    facts.accounted.reset();
    facts.around = {.older_job = {}};
    EXPECT_TRUE(is_in_doubt(facts));
    facts.around = {.older_job = slurm::JobId(1), .loss = state::StateLoss::widespread};
    EXPECT_TRUE(is_in_doubt(facts));
    EXPECT_EQ(text(next_sync_step(facts)), "keep");
    facts.around.loss = state::StateLoss::isolated;
    EXPECT_FALSE(is_in_doubt(facts));
    EXPECT_EQ(text(next_sync_step(facts)),
              "remove: Slurm lost job 7: that number is another job's now");
    facts.around.loss = state::StateLoss::widespread;
    facts.accounted = state::accounted_end(slurm::JobId(7), JobState::timeout);
    EXPECT_FALSE(is_in_doubt(facts));
    EXPECT_EQ(text(next_sync_step(facts)),
              "remove: Slurm job 7 reached its time limit, as accounting remembers");
  }
}

TEST(PodSync, AReleasedPodIsNotReleasedAgain) {
  kube::Pod pod = a_pod().job(7).on("k001").phase("Succeeded");
  pod.metadata.finalizers.clear();
  const JobView view = known(JobState::running);
  SyncFacts facts(pod);
  facts.named = marks::named_job(pod);
  facts.named_is_ours = true;
  facts.view = &view;
  EXPECT_EQ(text(next_sync_step(facts)), "keep");
}

TEST(PodSync, APodWithOnlyTheOldFinalizerOfTheReferenceIsReleased) {
  kube::Pod pod = a_pod().job(7).on("k001").phase("Succeeded");
  pod.metadata.finalizers = {workload::kOldFinalizer};
  const JobView view = known(JobState::running);
  SyncFacts facts(pod);
  facts.named = marks::named_job(pod);
  facts.named_is_ours = true;
  facts.view = &view;
  EXPECT_EQ(text(next_sync_step(facts)), "release 7");
}

TEST(PodSync, IfSlurmLostMostOfOurJobsNothingIsRemoved) {
  const kube::Pod pod = a_pod().job(7).on("k001");
  const JobView view = unknown(100);
  SyncFacts facts(pod);
  facts.named = marks::named_job(pod);
  facts.view = &view;
  facts.around = {.older_job = slurm::JobId(1), .loss = state::StateLoss::widespread};
  EXPECT_EQ(text(next_sync_step(facts)), "keep");
  EXPECT_TRUE(is_in_doubt(facts));
}

TEST(PodSync, IfSlurmKnowsNoneOfOurJobsNothingIsRemoved) {
  const kube::Pod pod = a_pod().job(7).on("k001");
  const JobView view = unknown(100);
  SyncFacts facts(pod);
  facts.named = marks::named_job(pod);
  facts.view = &view;
  facts.around = {.older_job = {}};
  EXPECT_EQ(text(next_sync_step(facts)), "keep");
}

}  // namespace
}  // namespace bridge::pods
