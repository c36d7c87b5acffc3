// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/job_end.h"

#include "bridge/testing/scheduling.h"

#include <gtest/gtest.h>

namespace bridge::state {
namespace {

using slurm::JobState;
using slurm::JobView;
using testing::known;
using testing::unknown;

struct Row {
  const char* cause;
  JobView view;
  bool others_known;
  const char* statement;  // empty: the pod stays
};

const Row kRows[] = {
    {"waiting", known(JobState::pending), true, ""},
    {"running", known(JobState::running), true, ""},
    {"a state that we do not understand", known(JobState::unknown), true, ""},
    {"completed", known(JobState::completed), true, "Slurm job 7 has completed"},
    {"cancelled", known(JobState::cancelled), true, "Slurm job 7 was cancelled"},
    {"failed", known(JobState::failed), true, "Slurm job 7 has failed"},
    {"timed out", known(JobState::timeout), true, "Slurm job 7 reached its time limit"},
    {"node failed", known(JobState::node_fail), true, "Slurm job 7 lost its node"},
    {"preempted", known(JobState::preempted), true, "Slurm job 7 was preempted"},
    {"boot failed", known(JobState::boot_fail), true, "Slurm job 7 could not boot its node"},
    {"deadline", known(JobState::deadline), true, "Slurm job 7 missed its deadline"},
    {"out of memory", known(JobState::out_of_memory), true, "Slurm job 7 ran out of memory"},
    {"suspended", known(JobState::suspended), true, "Slurm job 7 was suspended"},
    {"cancelled, and it was our only job",
     known(JobState::cancelled),
     false,
     "Slurm job 7 was cancelled"},
    {"not asked yet", JobView(), true, ""},
    {"unknown id, said once", unknown(1), true, ""},
    {"unknown id, said twice, other jobs known", unknown(2), true, "Slurm no longer knows job 7"},
    {"unknown id, all jobs unknown", unknown(50), false, ""},
};

LossEvidence around(bool others_known) {
  return {.older_job = others_known ? std::optional(slurm::JobId(1)) : std::nullopt};
}

TEST(JobEnded, APodIsRemovedOnlyForAStatementOfSlurm) {
  for (const Row& row : kRows) {
    const auto ended = job_ended(slurm::JobId(7), &row.view, around(row.others_known));
    EXPECT_EQ(ended ? ended->statement : "", row.statement) << row.cause;
  }
  EXPECT_FALSE(job_ended(slurm::JobId(7), nullptr, around(true))) << "a job that is not followed";
}

TEST(JobEnded, AbsenceIsNoEndUnlessTheLossIsIsolated) {
  const JobView forgotten = unknown(50);
  const JobView cancelled = known(JobState::cancelled);
  for (const StateLoss loss : {StateLoss::widespread, StateLoss::undetermined}) {
    const LossEvidence most_lost{.older_job = slurm::JobId(1), .loss = loss};
    EXPECT_FALSE(job_ended(slurm::JobId(7), &forgotten, most_lost));
    EXPECT_TRUE(job_ended(slurm::JobId(7), &cancelled, most_lost));
  }
}

TEST(JobIsLive, IsKnownOnlyFromAnAnswer) {
  const auto live = [](const JobView& view) { return job_is_live(&view); };
  EXPECT_EQ(job_is_live(nullptr), std::nullopt);
  EXPECT_EQ(live(JobView()), std::nullopt);
  EXPECT_EQ(live(known(JobState::unknown)), std::nullopt);
  EXPECT_EQ(live(known(JobState::pending)), true);
  EXPECT_EQ(live(known(JobState::running)), true);
  EXPECT_EQ(live(known(JobState::suspended)), true);
  EXPECT_EQ(live(known(JobState::timeout)), false);
  EXPECT_EQ(live(unknown(1)), false);
}

}  // namespace
}  // namespace bridge::state
