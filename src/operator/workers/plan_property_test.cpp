// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/out_of_service.h"
#include "operator/workers/plan_workers.h"
#include "operator/workers/testing_workers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace slurmop::workers {
namespace {

using namespace testing;

constexpr std::int64_t kMostOrdinals = 7;

kube::ObservedPod any_pod(std::int64_t ordinal) {
  const base::WallTime started = kNow - seconds(*rc::gen::element(1, 30, 100, 3600));
  kube::ObservedPod pod = *rc::gen::element(running_pod(ordinal, started),
                                            running_pod(ordinal, started),
                                            pending_pod(ordinal, started),
                                            crashing_pod(ordinal),
                                            ended_pod(ordinal),
                                            leaving_pod(ordinal));
  if (*rc::gen::arbitrary<bool>()) pod.metadata.annotations.clear();
  return pod;
}

slurm::Node any_node(std::int64_t ordinal) {
  std::vector<std::string> states{
      *rc::gen::element<std::string>("IDLE", "IDLE", "MIXED", "ALLOCATED", "DOWN", "UNKNOWN")};
  for (const char* flag : {"DRAIN", "COMPLETING", "NOT_RESPONDING", "UNDRAIN"}) {
    if (*rc::gen::inRange(0, 3) == 0) states.emplace_back(flag);
  }
  slurm::Node node = slurm_node(ordinal,
                                states,
                                *rc::gen::element<std::string>("",
                                                               "fan",
                                                               "slurm-operator: scale-down",
                                                               "slurm-operator: pod replaced",
                                                               "Not responding",
                                                               "Node unexpectedly rebooted"));
  node.slurmd_start_time = unix_time(kNow - seconds(*rc::gen::element(0, 29, 99, 3599, 7200)));
  return node;
}

Scene any_scene() {
  Scene scene(*rc::gen::inRange<std::int64_t>(0, kMostOrdinals));
  std::vector<RunningJob> jobs;
  for (std::int64_t ordinal = 0; ordinal < kMostOrdinals; ++ordinal) {
    if (*rc::gen::inRange(0, 4) > 0) scene.with(any_pod(ordinal));
    if (*rc::gen::inRange(0, 4) > 0) scene.with(any_node(ordinal));
    if (*rc::gen::arbitrary<bool>())
      jobs.push_back(job_on(static_cast<std::uint32_t>(ordinal),
                            {ordinal, *rc::gen::inRange<std::int64_t>(0, kMostOrdinals)},
                            kNow - seconds(*rc::gen::element(1, 20, 200, 5000)),
                            kNow + minutes(*rc::gen::inRange(0, 5))));
  }
  if (*rc::gen::arbitrary<bool>()) scene.jobs(std::move(jobs));
  if (*rc::gen::arbitrary<bool>()) scene.set.drain_timeout = minutes(*rc::gen::element(1, 10));
  scene.unknown = *rc::gen::inRange(0, 5) == 0;
  scene.never_available = *rc::gen::inRange(0, 5) == 0;
  return scene;
}

const kube::ObservedPod* pod_of(const Scene& scene, const std::string& name) {
  const auto found = std::ranges::find_if(
      scene.pods, [&](const kube::ObservedPod& pod) { return pod.metadata.name == name; });
  return found == scene.pods.end() ? nullptr : &*found;
}

const slurm::Node* node_of(const Scene& scene, const std::string& name) {
  const auto found = scene.slurm.nodes.find(name);
  return scene.unknown || found == scene.slurm.nodes.end() ? nullptr : &found->second;
}

bool has_ended(const kube::ObservedPod& pod) {
  return pod.status.phase == "Failed" || pod.status.phase == "Succeeded";
}

bool has_ghost_job(const Scene& scene, const std::string& name) {
  const kube::ObservedPod* pod = pod_of(scene, name);
  if (pod == nullptr || !scene.slurm.jobs) return false;
  const Worker worker{.ordinal = 0, .name = name, .pod = pod};
  const auto started = slurmd_started(worker);
  return started && std::ranges::any_of(*scene.slurm.jobs, [&](const RunningJob& job) {
           return std::ranges::count(job.nodes, name) > 0 && job.started < *started;
         });
}

// What every step must satisfy, whatever the facts are. RC_ASSERT evaluates both sides of || and &&
// unless they are in parentheses.
struct Check {
  const Scene& scene;

  void operator()(const DrainNode& step) const {
    const slurm::Node* node = node_of(scene, step.node);
    RC_ASSERT((node != nullptr && !node->draining()));
    RC_ASSERT(out_of_service(*node) != OutOfService::by_others);  // their reason would be lost
    RC_ASSERT(step.reason.starts_with(kReasonPrefix));
  }
  void operator()(const UndrainNode& step) const {
    const slurm::Node* node = node_of(scene, step.node);
    RC_ASSERT((node != nullptr && node->draining() && node->reason.starts_with(kReasonPrefix)));
  }
  void operator()(const ResumeNode& step) const {
    const slurm::Node* node = node_of(scene, step.node);
    RC_ASSERT((node != nullptr && node->down() && !node->not_responding()));
    RC_ASSERT((out_of_service(*node) == OutOfService::by_us ||
               out_of_service(*node) == OutOfService::by_slurmctld));
    RC_ASSERT(pod_of(scene, step.node) != nullptr);
  }
  void operator()(const DownNode& step) const {
    const slurm::Node* node = node_of(scene, step.node);
    RC_ASSERT((node != nullptr && !node->down()));
    RC_ASSERT((pod_of(scene, step.node) == nullptr || has_ghost_job(scene, step.node)));
    if (out_of_service(*node) == OutOfService::by_others)
      RC_ASSERT(!step.reason.starts_with(kReasonPrefix));
  }
  void operator()(const RemoveNode& step) const {
    const slurm::Node* node = node_of(scene, step.node);
    RC_ASSERT((node != nullptr && !node->busy()));
    RC_ASSERT(pod_of(scene, step.node) == nullptr);
  }
  void operator()(const CreatePod& step) const {
    const std::string name = worker_name(step.ordinal);
    RC_ASSERT(pod_of(scene, name) == nullptr);
    RC_ASSERT((!scene.unknown || scene.never_available));
    const slurm::Node* node = node_of(scene, name);
    RC_ASSERT((node == nullptr || node->down() || (node->draining() && !node->busy())));
  }
  void operator()(const DeletePod& step) const {
    const kube::ObservedPod* pod = pod_of(scene, step.pod.name);
    RC_ASSERT((pod != nullptr && !pod->metadata.deleting()));
    RC_ASSERT((step.uid == pod->metadata.uid && !step.reason.empty()));
    if (has_ended(*pod)) return;
    RC_ASSERT(!scene.unknown);
    const slurm::Node* node = node_of(scene, step.pod.name);
    if (node == nullptr) return;
    if (pod_state({.ordinal = 0, .name = step.pod.name, .pod = pod}) == PodState::running)
      RC_ASSERT((node->draining() || out_of_service(*node) == OutOfService::by_others));
    if (!node->busy()) return;
    RC_ASSERT((drained_by_us(*node) && scene.set.drain_timeout.has_value()));
    RC_ASSERT(wall_time(node->reason_changed_at) + *scene.set.drain_timeout <= scene.now);
  }
};

std::vector<std::string> workers_in(const WorkerPlan& plan) {
  struct Name {
    std::string operator()(const CreatePod& step) const { return worker_name(step.ordinal); }
    std::string operator()(const DeletePod& step) const { return step.pod.name; }
  };
  std::vector<std::string> names;
  for (const SlurmStep& step : plan.slurm)
    names.push_back(std::visit([](const auto& s) { return s.node; }, step));
  for (const PodStep& step : plan.pods) names.push_back(std::visit(Name{}, step));
  return names;
}

RC_GTEST_PROP(PlanWorkers, EveryStepIsAllowedByTheFacts, ()) {
  const Scene scene = any_scene();
  const WorkerPlan plan = scene.plan();
  for (const SlurmStep& step : plan.slurm) std::visit(Check{scene}, step);
  for (const PodStep& step : plan.pods) std::visit(Check{scene}, step);
  if (scene.unknown) RC_ASSERT(plan.slurm.empty());
}

RC_GTEST_PROP(PlanWorkers, AWorkerGetsAtMostOneStep, ()) {
  const std::vector<std::string> names = workers_in(any_scene().plan());
  RC_ASSERT(std::set<std::string>(names.begin(), names.end()).size() == names.size());
}

RC_GTEST_PROP(PlanWorkers, TheOrderOfThePodsDoesNotMatter, ()) {
  Scene scene = any_scene();
  const WorkerPlan one = scene.plan();
  std::vector<std::pair<int, kube::ObservedPod>> shuffled;
  for (kube::ObservedPod& pod : scene.pods)
    shuffled.emplace_back(*rc::gen::arbitrary<int>(), std::move(pod));
  std::ranges::sort(shuffled, {}, [](const auto& entry) { return entry.first; });
  scene.pods.clear();
  for (auto& [key, pod] : shuffled) scene.pods.push_back(std::move(pod));
  const WorkerPlan other = scene.plan();
  RC_ASSERT(one.slurm == other.slurm);
  RC_ASSERT(one.pods == other.pods);
  RC_ASSERT(one.waits == other.waits);
  RC_ASSERT((one.again == other.again && one.wants_jobs == other.wants_jobs));
  RC_ASSERT((one.existing == other.existing && one.ready == other.ready));
  RC_ASSERT(one.outdated == other.outdated);
}

RC_GTEST_PROP(PlanWorkers, NeverMorePodsAreCreatedThanDesired, ()) {
  const Scene scene = any_scene();
  std::int64_t pods = static_cast<std::int64_t>(scene.pods.size());
  for (const PodStep& step : scene.plan().pods) pods += std::holds_alternative<CreatePod>(step);
  RC_ASSERT(pods <= std::max<std::int64_t>(scene.set.spec.replicas,
                                           static_cast<std::int64_t>(scene.pods.size())));
}

}  // namespace
}  // namespace slurmop::workers
