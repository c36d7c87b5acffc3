// SPDX-License-Identifier: Apache-2.0
// Plans in a closed loop with a model of Kubernetes and Slurm.
#include "operator/workers/testing_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace slurmop::workers {
namespace {

using namespace testing;

constexpr int kTicksToSettle = 120;  // six minutes

bool is_empty(const WorkerPlan& plan) {
  return plan.slurm.empty() && plan.pods.empty();
}

// Runs without events until the plans have been empty for a minute. Returns the last plan.
WorkerPlan run_until_quiet(WorkerModel& model) {
  WorkerPlan plan;
  for (int ticks = 0, quiet = 0; ticks < kTicksToSettle && quiet < 20; ++ticks) {
    model.tick();
    plan = model.decide();
    quiet = is_empty(plan) && model.jobs().empty() ? quiet + 1 : 0;
  }
  return plan;
}

void check_settled(WorkerModel& model) {
  const WorkerPlan plan = run_until_quiet(model);
  const Scene& scene = model.scene();
  const std::int64_t desired = scene.set.spec.replicas;
  RC_ASSERT(is_empty(plan));
  RC_ASSERT(model.jobs().empty());
  RC_ASSERT(plan.existing == desired);
  RC_ASSERT(static_cast<std::int64_t>(scene.slurm.nodes.size()) == desired);
  RC_ASSERT(plan.ready == desired - model.out_by_others());
  RC_ASSERT(static_cast<std::int64_t>(plan.waits.size()) == model.out_by_others());
  RC_ASSERT(!plan.wants_jobs);
}

struct Event {
  int what = 0;
  std::int64_t ordinal = 0;
  int amount = 0;
};

void apply(WorkerModel& model, const Event& event) {
  switch (event.what) {
    case 0:
    case 1:
    case 2:
    case 3: return model.start_job(event.ordinal, seconds(event.amount));
    case 4: return model.kill_pod(event.ordinal);
    case 5: return model.fail_pod(event.ordinal);
    case 6: return model.restart_container(event.ordinal);
    case 7: model.scene().set.spec.replicas = event.ordinal; return;
    case 8: return model.admin_drains(event.ordinal);
    case 9: return model.admin_resumes(event.ordinal);
    case 10: model.scene().unknown = !model.scene().unknown; return;
    default: return;
  }
}

Event any_event() {
  return {
      *rc::gen::inRange(0, 13), *rc::gen::inRange<std::int64_t>(0, 6), *rc::gen::inRange(1, 90)};
}

RC_GTEST_PROP(Convergence, ReachesTheDesiredWorkersAfterAnyHistory, ()) {
  WorkerModel model(*rc::gen::inRange<std::int64_t>(0, 6));
  if (*rc::gen::inRange(0, 3) == 0) model.scene().set.drain_timeout = seconds(20);
  const int length =
      *rc::gen::inRange(0, 50);  // shorter than kGhostJobsWindow: Slurm may be unknown
  for (int i = 0; i < length; ++i) {
    model.tick();
    apply(model, any_event());
    model.decide();
  }
  model.scene().unknown = false;
  check_settled(model);
}

TEST(Convergence, ScaleDownWaitsForTheJob) {
  WorkerModel model(2);
  run_until_quiet(model);
  model.start_job(0, seconds(60));
  model.start_job(1, seconds(30));
  model.scene().set.spec.replicas = 1;
  const WorkerPlan wants_jobs = model.decide();
  EXPECT_TRUE(wants_jobs.wants_jobs);
  const WorkerPlan drains = model.decide();
  ASSERT_EQ(texts(drains).size(), 1U);
  EXPECT_EQ(texts(drains)[0], "drain worker-1 (slurm-operator: scale-down)");
  run_until_quiet(model);
  ASSERT_EQ(model.scene().pods.size(), 1U);
  EXPECT_EQ(model.scene().pods[0].metadata.name, "worker-0");
}

TEST(Convergence, ARestartedContainerLeavesNoGhostJob) {
  WorkerModel model(1);
  run_until_quiet(model);
  model.start_job(0, seconds(30));
  model.tick();
  model.restart_container(0);
  const WorkerPlan plan = run_until_quiet(model);
  EXPECT_TRUE(model.jobs().empty());
  EXPECT_EQ(plan.ready, 1);
}

}  // namespace
}  // namespace slurmop::workers
