// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/waits.h"

#include "operator/workers/testing_workers.h"

#include <gtest/gtest.h>

namespace slurmop::workers {
namespace {

using namespace testing;

constexpr const char* kOurs = "slurm-operator: scale-down";

std::string wait_text(const Scene& scene, Role role = Role::kept) {
  return scene.with_facts([&](const WorkerFacts& facts) {
    Worker worker = workers_of(facts).at(0);
    worker.role = role;
    return wait_of(worker, facts).value_or("");
  });
}

std::optional<seconds> again(const Scene& scene) {
  return scene.with_facts(
      [](const WorkerFacts& facts) { return look_again(workers_of(facts).at(0), facts); });
}

Scene scene_of(kube::ObservedPod pod, std::optional<slurm::Node> node = {}) {
  Scene scene(1);
  scene.with(std::move(pod));
  if (node) scene.with(*std::move(node));
  return scene;
}

kube::ObservedPod waiting_for_image(base::WallTime created) {
  kube::ObservedPod pod = pending_pod(0, created);
  kube::ContainerStatus keys, slurmd;
  keys.name = "keys";
  keys.state.waiting = kube::ContainerStateWaiting{"ImagePullBackOff", "back-off pulling image"};
  slurmd.name = "slurmd";
  slurmd.state.waiting = kube::ContainerStateWaiting{"PodInitializing", ""};
  pod.status.initContainerStatuses = {keys};
  pod.status.containerStatuses = {slurmd};
  return pod;
}

kube::ObservedPod unschedulable() {
  kube::ObservedPod pod = pending_pod(0);
  pod.status.conditions.push_back(
      {"PodScheduled", "False", "Unschedulable", "0/3 nodes are available: Insufficient cpu"});
  return pod;
}

slurm::Node old_slurmd() {
  slurm::Node node = slurm_node(0);
  node.slurmd_start_time -= 100;
  return node;
}

TEST(Waits, NameTheWorkerAndTheCause) {
  const struct {
    const char* cause;
    Scene scene;
    const char* want;
  } kRows[] = {
      {"ready", scene_of(running_pod(0), slurm_node(0)), ""},
      {"busy", scene_of(running_pod(0), slurm_node(0, {"MIXED"})), ""},
      {"drained by others",
       scene_of(running_pod(0), slurm_node(0, {"IDLE", "DRAIN"}, "fan")),
       R"(worker-0 is drained by slurm: "fan")"},
      {"down by others",
       scene_of(running_pod(0), slurm_node(0, {"DOWN"}, "disk")),
       R"(worker-0 is set down by slurm: "disk")"},
      {"new pod", scene_of(waiting_for_image(kNow - seconds(60))), ""},
      {"no image",
       scene_of(waiting_for_image(kNow - seconds(61))),
       "worker-0 is not registered with Slurm: ImagePullBackOff"},
      {"unschedulable",
       scene_of(unschedulable()),
       "worker-0 is not registered with Slurm: Unschedulable: 0/3 nodes are available: "
       "Insufficient cpu"},
      {"crashes",
       scene_of(crashing_pod(0)),
       "worker-0 is not registered with Slurm: CrashLoopBackOff"},
      {"runs, old slurmd",
       scene_of(running_pod(0), old_slurmd()),
       "worker-0 is not registered with Slurm: its slurmd runs"},
      {"pending",
       scene_of(pending_pod(0)),
       "worker-0 is not registered with Slurm: its pod has not started"},
      {"not responding",
       scene_of(running_pod(0), slurm_node(0, {"IDLE", "NOT_RESPONDING"})),
       "worker-0 does not respond to Slurm (Kubernetes node node-1)"},
      {"being deleted", scene_of(leaving_pod(0, kNow - seconds(30))), ""},
      {"its node is lost",
       scene_of(leaving_pod(0, kNow - seconds(31))),
       "worker-0 is being deleted, and its kubelet does not confirm it (Kubernetes node node-1)"},
      {"failed", scene_of(ended_pod(0)), ""},
  };
  for (const auto& row : kRows) EXPECT_EQ(wait_text(row.scene), row.want) << row.cause;
}

TEST(Waits, ADrainedWorkerThatLeavesNamesItsJobs) {
  Scene scene = scene_of(running_pod(0), slurm_node(0, {"MIXED", "DRAIN"}, kOurs));
  EXPECT_EQ(wait_text(scene, Role::leaving), "worker-0 is drained and runs jobs");
  scene.jobs({job_on(7, {0})});
  EXPECT_EQ(wait_text(scene, Role::leaving), "worker-0 is drained and runs job 7");
  scene.jobs({job_on(7, {0}), job_on(8, {0, 1})});
  EXPECT_EQ(wait_text(scene, Role::leaving), "worker-0 is drained and runs 2 jobs");
  EXPECT_EQ(wait_text(scene, Role::kept), "");  // it is undrained now
}

TEST(Waits, NothingIsReportedOfSlurmWhileItIsUnknown) {
  Scene scene = scene_of(crashing_pod(0));
  scene.unknown = true;
  EXPECT_EQ(wait_text(scene), "");
}

TEST(LookAgain, BeforeSomethingChangesByTimeAlone) {
  const struct {
    const char* cause;
    Scene scene;
    std::optional<seconds> want;
  } kRows[] = {
      {"ready", scene_of(running_pod(0), slurm_node(0)), {}},
      {"runs, not registered", scene_of(running_pod(0, kNow - seconds(5))), seconds(2)},
      {"runs for long, not registered", scene_of(running_pod(0)), seconds(10)},
      {"created 20 s ago", scene_of(pending_pod(0, kNow - seconds(20))), seconds(41)},
      {"pending for long", scene_of(pending_pod(0)), {}},
      {"being deleted", scene_of(leaving_pod(0)), seconds(30)},
      {"failed", scene_of(ended_pod(0)), {}},
  };
  for (const auto& row : kRows) EXPECT_EQ(again(row.scene), row.want) << row.cause;

  Scene drained = scene_of(running_pod(0), slurm_node(0, {"MIXED", "DRAIN"}, kOurs));
  EXPECT_EQ(again(drained), std::nullopt);
  drained.set.drain_timeout = minutes(6);  // drained five minutes ago
  EXPECT_EQ(again(drained), seconds(60));
}

}  // namespace
}  // namespace slurmop::workers
