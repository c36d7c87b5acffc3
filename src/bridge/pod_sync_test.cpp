// SPDX-License-Identifier: Apache-2.0
#include "bridge/pod_sync.h"

#include "bridge/named_job.h"
#include "bridge/testing.h"

#include <gtest/gtest.h>

namespace bridge {
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

TEST(PodSync, KeepsPodAndJobInStep) {
  for (const Row& row : kRows) {
    SyncFacts facts(row.pod);
    facts.named = named_job(row.pod);
    facts.named_is_ours = row.ours;
    facts.view = row.view ? &*row.view : nullptr;
    facts.around = {.remembers_older = true};
    EXPECT_EQ(text(next_sync_step(facts)), row.want) << row.cause;
  }
}

TEST(PodSync, WhatWasLetGoIsLeftAlone) {
  kube::Pod pod = a_pod().job(7).on("k001").phase("Succeeded");
  pod.metadata.finalizers.clear();
  const JobView view = known(JobState::running);
  SyncFacts facts(pod);
  facts.named = named_job(pod);
  facts.named_is_ours = true;
  facts.view = &view;
  EXPECT_EQ(text(next_sync_step(facts)), "keep");
}

TEST(PodSync, IfSlurmKnowsNoneOfOurJobsNothingIsRemoved) {
  const kube::Pod pod = a_pod().job(7).on("k001");
  const JobView view = unknown(100);
  SyncFacts facts(pod);
  facts.named = named_job(pod);
  facts.view = &view;
  facts.around = {.remembers_older = false};
  EXPECT_EQ(text(next_sync_step(facts)), "keep");
}

}  // namespace
}  // namespace bridge
