// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge#49: a pod whose kubelet never reports its end stayed Terminating
// forever, with its job and GPUs; the finalizer blocked whole namespaces.
#include "bridge/marks/named_job.h"
#include "bridge/pods/sync.h"
#include "bridge/testing/admission.h"
#include "bridge/testing/scheduling.h"

#include <gtest/gtest.h>

namespace bridge::testing {
namespace {

TEST(StuckPod, ReleasesItsJobOnADeadAndDrainedNode) {
  const kube::Pod pod = a_pod().job(7).on("k001").deleting();
  const slurm::JobView running = known(slurm::JobState::running, {"k001"});
  pods::SyncFacts facts(pod);
  facts.named = marks::named_job(pod);
  facts.named_is_ours = true;
  facts.view = &running;
  facts.node_is_dead = true;
  EXPECT_TRUE(std::holds_alternative<pods::Keep>(next_sync_step(facts)))
      << "another job could be started on a node where the pod may still run";
  facts.node_is_drained = true;
  const pods::SyncStep step = next_sync_step(facts);
  ASSERT_TRUE(std::holds_alternative<pods::Release>(step));
  EXPECT_EQ(std::get<pods::Release>(step).job, slurm::JobId(7));
}

TEST(StuckPod, IsRemovedAtOnceIfItWasNeverStarted) {
  const kube::Pod pod = a_pod().job(7).deleting();
  const slurm::JobView pending = known(slurm::JobState::pending);
  pods::SyncFacts facts(pod);
  facts.named = marks::named_job(pod);
  facts.named_is_ours = true;
  facts.view = &pending;
  EXPECT_TRUE(std::holds_alternative<pods::Release>(next_sync_step(facts)));
}

TEST(StuckPod, EveryUserMayRemoveItsFinalizer) {
  TestAdmission test;
  test.start();
  const std::string label = R"("labels":{"scheduler.slinky.slurm.net/slurm-jobid":"7"})";
  const std::string finalizer = R"(,"finalizers":["scheduler.slinky.slurm.net/finalizer"])";
  const Reply reply =
      test.validate({.object = pod_text(label, ""), .old_object = pod_text(label + finalizer, "")});
  EXPECT_TRUE(reply.allowed) << reply.message;
}

}  // namespace
}  // namespace bridge::testing
