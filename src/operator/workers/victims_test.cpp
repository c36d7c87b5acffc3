// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/victims.h"

#include "operator/workers/testing_workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::workers {
namespace {

using namespace testing;
using ::testing::ElementsAre;

std::vector<std::int64_t> order(const Scene& scene) {
  return scene.with_facts([](const WorkerFacts& facts) {
    const Workers all = workers_of(facts);
    std::vector<std::int64_t> ordinals;
    for (const Worker* worker : removal_order(all)) ordinals.push_back(worker->ordinal);
    return ordinals;
  });
}

TEST(Cost, OfEveryKindOfWorker) {
  slurm::Node old_slurmd = slurm_node(0);
  old_slurmd.slurmd_start_time -= 100;
  const struct {
    const char* cause;
    std::optional<kube::ObservedPod> pod;
    std::optional<slurm::Node> node;
    Cost want;
  } kRows[] = {
      {"no pod", {}, slurm_node(0, {"MIXED"}), Cost::no_pod},
      {"pod leaves", leaving_pod(0), slurm_node(0, {"MIXED"}), Cost::pod_leaves},
      {"pod failed", ended_pod(0), slurm_node(0), Cost::pod_leaves},
      {"pending", pending_pod(0), {}, Cost::not_started},
      {"crashes, unknown to Slurm", crashing_pod(0), {}, Cost::not_started},
      {"runs, unknown to Slurm", running_pod(0), {}, Cost::not_ready},
      {"pending, its node down",
       pending_pod(0),
       slurm_node(0, {"DOWN"}, "slurm-operator: x"),
       Cost::not_ready},
      {"down by slurmctld",
       running_pod(0),
       slurm_node(0, {"DOWN"}, "Not responding"),
       Cost::not_ready},
      {"not responding", running_pod(0), slurm_node(0, {"IDLE", "NOT_RESPONDING"}), Cost::idle},
      {"not registered", running_pod(0), old_slurmd, Cost::not_ready},
      {"drained by us",
       running_pod(0),
       slurm_node(0, {"IDLE", "DRAIN"}, "slurm-operator: x"),
       Cost::drained_by_us},
      {"drained by others",
       running_pod(0),
       slurm_node(0, {"IDLE", "DRAIN"}, "fan"),
       Cost::out_by_others},
      {"down by others", running_pod(0), slurm_node(0, {"DOWN"}, "fan"), Cost::out_by_others},
      {"idle", running_pod(0), slurm_node(0), Cost::idle},
      {"allocated", running_pod(0), slurm_node(0, {"ALLOCATED"}), Cost::busy},
      {"completing", running_pod(0), slurm_node(0, {"IDLE", "COMPLETING"}), Cost::busy},
      {"busy and not responding",
       running_pod(0),
       slurm_node(0, {"MIXED", "NOT_RESPONDING"}),
       Cost::busy},
      {"drained by us and busy",
       running_pod(0),
       slurm_node(0, {"MIXED", "DRAIN"}, "slurm-operator: x"),
       Cost::busy},
  };
  for (const auto& row : kRows) {
    const Worker worker{.ordinal = 0,
                        .name = "worker-0",
                        .pod = row.pod ? &*row.pod : nullptr,
                        .node = row.node ? &*row.node : nullptr};
    EXPECT_EQ(cost_of(worker), row.want) << row.cause;
  }
}

TEST(RemovalOrder, TakesTheCheapestWorkerFirst) {
  Scene scene(0);
  scene.worker(0, {"MIXED"})
      .worker(1, {"IDLE"})
      .worker(2, {"IDLE", "DRAIN"}, "fan")
      .worker(3, {"IDLE", "DRAIN"}, "slurm-operator: scale-down")
      .worker(4, {"DOWN"}, "Not responding")
      .with(pending_pod(5))
      .with(leaving_pod(6))
      .with(slurm_node(7));
  EXPECT_THAT(order(scene), ElementsAre(7, 6, 5, 4, 3, 2, 1, 0));
}

TEST(RemovalOrder, TakesTheHighestOrdinalAmongEquals) {
  Scene idle(0);
  idle.worker(0).worker(2).worker(10);
  EXPECT_THAT(order(idle), ElementsAre(10, 2, 0));
}

TEST(RemovalOrder, TakesTheBusyWorkerThatWeDrainedThenTheOneThatIsFreeFirst) {
  Scene scene(0);
  scene.worker(0, {"MIXED"})
      .worker(1, {"MIXED"})
      .worker(2, {"MIXED"})
      .worker(3, {"MIXED"})
      .worker(4, {"ALLOCATED", "DRAIN"}, "slurm-operator: scale-down")
      .worker(5, {"IDLE", "COMPLETING"});
  scene.jobs({job_on(1, {0}, kNow - minutes(1), kNow + minutes(5)),
              job_on(2, {0}, kNow - minutes(1), kNow + minutes(30)),
              job_on(3, {1, 2}, kNow - minutes(1), kNow + minutes(20)),
              job_on(4, {3, 4}, kNow - minutes(1), std::nullopt)});
  EXPECT_THAT(order(scene), ElementsAre(4, 5, 2, 1, 0, 3));
}

}  // namespace
}  // namespace slurmop::workers
