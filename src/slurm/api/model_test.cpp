// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/model.h"

#include <gtest/gtest.h>

namespace slurm::inline api {
namespace {

struct Row {
  std::vector<std::string> states;
  JobState want;
};

const Row kRows[] = {
    {{"PENDING"}, JobState::pending},
    {{"RUNNING"}, JobState::running},
    {{"RUNNING", "CONFIGURING"}, JobState::running},
    {{"RUNNING", "SIGNALING"}, JobState::running},
    {{"RUNNING", "RESIZING"}, JobState::running},
    {{"SUSPENDED"}, JobState::suspended},
    {{"SUSPENDED", "STOPPED"}, JobState::suspended},
    {{"PENDING", "REQUEUED"}, JobState::pending},
    {{"PENDING", "REQUEUE_HOLD"}, JobState::pending},
    {{"PENDING", "SPECIAL_EXIT"}, JobState::pending},
    {{"PENDING", "RESV_DEL_HOLD"}, JobState::pending},
    {{"PENDING", "REVOKED"}, JobState::pending},
    {{"CANCELLED"}, JobState::cancelled},
    {{"CANCELLED", "COMPLETING"}, JobState::cancelled},
    {{"COMPLETING", "CANCELLED"}, JobState::cancelled},
    {{"COMPLETED"}, JobState::completed},
    {{"FAILED"}, JobState::failed},
    {{"TIMEOUT"}, JobState::timeout},
    {{"NODE_FAIL"}, JobState::node_fail},
    {{"PREEMPTED"}, JobState::preempted},
    {{"BOOT_FAIL"}, JobState::boot_fail},
    {{"DEADLINE"}, JobState::deadline},
    {{"OUT_OF_MEMORY"}, JobState::out_of_memory},
    {{}, JobState::unknown},
    {{"COMPLETING"}, JobState::unknown},
    {{"SOMETHING_NEW"}, JobState::unknown},
};

TEST(JobState, TheBaseStateDecidesWhateverTheFlags) {
  for (const Row& row : kRows) {
    EXPECT_EQ(job_state(row.states), row.want)
        << (row.states.empty() ? "" : row.states.front()) << " " << row.states.size();
  }
}

TEST(JobState, IsLiveOrOverOrNeitherButNeverBoth) {
  for (const Row& row : kRows) EXPECT_FALSE(is_live(row.want) && is_over(row.want));
  EXPECT_TRUE(is_live(JobState::pending));
  EXPECT_TRUE(is_live(JobState::running));
  EXPECT_TRUE(is_live(JobState::suspended));
  EXPECT_TRUE(is_over(JobState::preempted));
  EXPECT_TRUE(is_over(JobState::out_of_memory));
  EXPECT_FALSE(is_live(JobState::unknown));
  EXPECT_FALSE(is_over(JobState::unknown));
}

TEST(JobState, IsNamedAsSlurmNamesIt) {
  EXPECT_EQ(name(JobState::node_fail), "NODE_FAIL");
  EXPECT_EQ(name(JobState::unknown), "UNKNOWN");
}

}  // namespace
}  // namespace slurm::inline api
