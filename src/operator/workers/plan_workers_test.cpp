// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/plan_workers.h"

#include "operator/workers/testing_workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::workers {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kOurs = "slurm-operator: scale-down";

TEST(PlanWorkers, CreatesTheFirstPods) {
  const WorkerPlan plan = Scene(2).plan();
  EXPECT_THAT(texts(plan), ElementsAre("create 0", "create 1"));
  EXPECT_EQ(plan.existing, 0);
}

TEST(PlanWorkers, ANewWorkerThatRegistersNeedsNoStep) {
  const WorkerPlan plan = Scene(2).worker(0).worker(1).plan();
  EXPECT_THAT(texts(plan), IsEmpty());
  EXPECT_EQ(plan.existing, 2);
  EXPECT_EQ(plan.ready, 2);
  EXPECT_EQ(plan.outdated, 0);
  EXPECT_EQ(plan.again, std::nullopt);
}

TEST(PlanWorkers, CountsPodsOfAnOlderTemplateAndKeepsThem) {
  Scene scene(2);
  scene.worker(0).worker(1, {"MIXED"});
  for (kube::ObservedPod& pod : scene.pods) pod.metadata.annotations.clear();
  const WorkerPlan plan = scene.plan();
  EXPECT_EQ(plan.outdated, 2);
  EXPECT_THAT(texts(plan), IsEmpty());
}

TEST(PlanWorkers, ScalesDownByDrainingAnIdleWorker) {
  Scene scene(1);
  scene.worker(0, {"MIXED"}).worker(1);
  EXPECT_THAT(texts(scene.plan()), ElementsAre("drain worker-1 (slurm-operator: scale-down)"));
}

TEST(PlanWorkers, ScalesUpByUndrainingBeforeCreating) {
  Scene scene(3);
  scene.worker(0).worker(1, {"MIXED", "DRAIN"}, kOurs);
  EXPECT_THAT(texts(scene.plan()), ElementsAre("undrain worker-1", "create 2"));
}

TEST(PlanWorkers, ExchangesADrainedBusyWorkerForAnIdleOne) {
  Scene scene(1);
  scene.worker(0, {"MIXED", "DRAIN"}, kOurs).worker(1);
  EXPECT_THAT(texts(scene.plan()),
              ElementsAre("undrain worker-0", "drain worker-1 (slurm-operator: scale-down)"));
}

TEST(PlanWorkers, ReadsTheJobsBeforeItDrainsOneOfSeveralBusyWorkers) {
  Scene scene(1);
  scene.worker(0, {"MIXED"}).worker(1, {"MIXED"});
  WorkerPlan plan = scene.plan();
  EXPECT_TRUE(plan.wants_jobs);
  EXPECT_TRUE(plan.again.has_value());
  EXPECT_THAT(texts(plan), IsEmpty());
  scene.jobs({job_on(1, {0}, kNow, kNow + minutes(1)), job_on(2, {1}, kNow, kNow + hours(1))});
  EXPECT_THAT(texts(scene.plan()), ElementsAre("drain worker-0 (slurm-operator: scale-down)"));
}

TEST(PlanWorkers, ReplacesALostPodInThreeSteps) {
  Scene scene(2);
  scene.worker(0).with(slurm_node(1, {"MIXED"}));
  EXPECT_THAT(texts(scene.plan()), ElementsAre("down worker-1 (slurm-operator: pod replaced)"));
  scene.with(slurm_node(1, {"DOWN"}, "slurm-operator: pod replaced"));
  EXPECT_THAT(texts(scene.plan()), ElementsAre("create 1"));
  scene.with(running_pod(1, kNow - seconds(5)));
  EXPECT_THAT(texts(scene.plan()), IsEmpty());  // the new slurmd has not registered
  scene.slurm.nodes["worker-1"].slurmd_start_time = unix_time(kNow - seconds(4));
  EXPECT_THAT(texts(scene.plan()), ElementsAre("resume worker-1"));
}

TEST(PlanWorkers, APodThatIsBeingDeletedIsReplacedWhenItIsGone) {
  Scene scene(1);
  scene.with(leaving_pod(0)).with(slurm_node(0));
  const WorkerPlan plan = scene.plan();
  EXPECT_THAT(texts(plan), IsEmpty());
  EXPECT_EQ(plan.existing, 0);
}

TEST(PlanWorkers, RemovesTheSlurmNodeOfAPodThatIsGone) {
  Scene scene(1);
  scene.worker(0).with(slurm_node(1, {"IDLE", "DRAIN"}, kOurs));
  EXPECT_THAT(texts(scene.plan()), ElementsAre("remove worker-1"));
}

TEST(PlanWorkers, EndsGhostJobsOfARestartedContainer) {
  Scene scene(1);
  scene.with(running_pod(0, kNow - seconds(20))).with(slurm_node(0, {"MIXED"}));
  scene.slurm.nodes["worker-0"].slurmd_start_time = unix_time(kNow - seconds(19));
  const WorkerPlan plan = scene.plan();
  EXPECT_TRUE(plan.wants_jobs);
  EXPECT_THAT(texts(plan), IsEmpty());
  scene.jobs({job_on(1, {0}, kNow - minutes(1))});
  EXPECT_THAT(texts(scene.plan()), ElementsAre("down worker-0 (slurm-operator: pod replaced)"));
}

TEST(PlanWorkers, KeepsWhatAdministratorsTookOutOfService) {
  Scene scene(2);
  scene.worker(0, {"IDLE", "DRAIN"}, "fan").worker(1, {"DOWN"}, "disk");
  const WorkerPlan plan = scene.plan();
  EXPECT_THAT(texts(plan), IsEmpty());
  EXPECT_EQ(plan.ready, 0);
  EXPECT_EQ(plan.waits.size(), 2U);
}

TEST(PlanWorkers, WhileSlurmIsUnknownOnlyEndedPodsAreDeleted) {
  Scene scene(4);
  scene.worker(0).with(pending_pod(1)).with(ended_pod(2));
  scene.unknown = true;
  EXPECT_THAT(texts(scene.plan()), ElementsAre("delete worker-2"));
  scene.never_available = true;
  EXPECT_THAT(texts(scene.plan()), ElementsAre("delete worker-2", "create 3"));
  scene.set.spec.replicas = 0;
  EXPECT_THAT(texts(scene.plan()), ElementsAre("delete worker-2"));
}

TEST(PlanWorkers, ReturnsNodesToServiceBeforeItTakesOthersOut) {
  Scene scene(3);
  scene.worker(0, {"MIXED", "DRAIN"}, kOurs)
      .worker(1, {"DOWN"}, "Node unexpectedly rebooted")
      .worker(2)
      .worker(3, {"IDLE", "DRAIN"}, kOurs)
      .with(slurm_node(4))
      .with(slurm_node(5, {"MIXED"}));
  EXPECT_THAT(texts(scene.plan()),
              ElementsAre("undrain worker-0",
                          "undrain worker-3",
                          "down worker-5 (slurm-operator: pod replaced)",
                          "drain worker-1 (slurm-operator: scale-down)",
                          "remove worker-4"));
}

}  // namespace
}  // namespace slurmop::workers
