// SPDX-License-Identifier: Apache-2.0
// #36, #37: a preempted pod that was not ready, such as a pod that crashes repeatedly, kept its
// GPUs.
#include "bridge/marks/named_job.h"
#include "bridge/pods/sync.h"
#include "bridge/testing/scheduling.h"

#include <gtest/gtest.h>

namespace bridge::testing {
namespace {

TEST(Issue036, ABoundPodGoesWithItsJobInWhateverStateItIs) {
  const slurm::JobView preempted = known(slurm::JobState::preempted);
  for (const char* phase : {"Pending", "Running", "Unknown"}) {
    kube::Pod pod = a_pod().job(7).on("k001").phase(phase);
    pod.status.conditions.push_back({"Ready", "False", "ContainersNotReady", "", ""});
    pods::SyncFacts facts(pod);
    facts.named = marks::named_job(pod);
    facts.named_is_ours = true;
    facts.view = &preempted;
    EXPECT_TRUE(std::holds_alternative<pods::Remove>(next_sync_step(facts))) << phase;
  }
}

}  // namespace
}  // namespace bridge::testing
