// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/rfc3339.h"
#include "operator/objects/labels.h"
#include "operator/workers/plan_workers.h"
#include "operator/workers/worker.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// For tests only: workers "worker-<ordinal>" in namespace "ns".
namespace slurmop::workers::testing {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

inline const base::WallTime kNow{seconds(1'700'000'000)};
inline const std::string kHash = "template-1";

inline std::int64_t unix_time(base::WallTime when) {
  return std::chrono::floor<seconds>(when).time_since_epoch().count();
}

inline std::string worker_name(std::int64_t ordinal) {
  return fmt::format("worker-{}", ordinal);
}

inline settle::WorkerSet worker_set(std::int64_t replicas) {
  settle::WorkerSet set;
  set.name = "worker";
  set.pod_prefix = "worker";
  set.spec.replicas = replicas;
  return set;
}

// A pod that was created two hours ago and has no container that ran.
inline kube::ObservedPod pending_pod(std::int64_t ordinal,
                                     base::WallTime created = kNow - hours(2)) {
  kube::ObservedPod pod;
  pod.metadata.name = worker_name(ordinal);
  pod.metadata.namespace_ = "ns";
  pod.metadata.uid = kube::Uid(fmt::format("uid-{}", ordinal));
  pod.metadata.resourceVersion = "7";
  pod.metadata.creationTimestamp = base::format_rfc3339(created);
  pod.metadata.annotations[std::string(objects::kTemplateHash)] = kHash;
  pod.status.phase = "Pending";
  return pod;
}

// A pod whose slurmd started at this time.
inline kube::ObservedPod running_pod(std::int64_t ordinal,
                                     base::WallTime started = kNow - hours(1)) {
  kube::ObservedPod pod = pending_pod(ordinal, started);
  pod.spec.nodeName = "node-1";
  pod.status.phase = "Running";
  kube::ContainerStatus slurmd;
  slurmd.name = "slurmd";
  slurmd.state.running = kube::ContainerStateRunning{base::format_rfc3339(started)};
  pod.status.containerStatuses.push_back(std::move(slurmd));
  return pod;
}

// A running pod whose slurmd does not run now.
inline kube::ObservedPod crashing_pod(std::int64_t ordinal) {
  kube::ObservedPod pod = running_pod(ordinal);
  pod.status.containerStatuses[0].state = {};
  pod.status.containerStatuses[0].state.waiting =
      kube::ContainerStateWaiting{"CrashLoopBackOff", "back-off 20s"};
  return pod;
}

inline kube::ObservedPod ended_pod(std::int64_t ordinal) {
  kube::ObservedPod pod = pending_pod(ordinal);
  pod.status.phase = "Failed";
  return pod;
}

// `due` is the end of the grace period.
inline kube::ObservedPod leaving_pod(std::int64_t ordinal,
                                     base::WallTime due = kNow + seconds(20)) {
  kube::ObservedPod pod = running_pod(ordinal);
  pod.metadata.deletionTimestamp = base::format_rfc3339(due);
  return pod;
}

// A node whose slurmd registered one second after running_pod()'s container started.
inline slurm::Node slurm_node(std::int64_t ordinal,
                              std::vector<std::string> states = {"IDLE"},
                              std::string reason = "") {
  slurm::Node node;
  node.name = slurm::SlurmNodeName(worker_name(ordinal));
  node.states = std::move(states);
  node.states.emplace_back("DYNAMIC_NORM");
  if (!reason.empty()) {
    node.reason_set_by = "slurm";
    node.reason_changed_at = unix_time(kNow - minutes(5));
  }
  node.reason = std::move(reason);
  node.slurmd_start_time = unix_time(kNow - hours(1) + seconds(1));
  node.boot_time = node.slurmd_start_time;
  return node;
}

inline RunningJob job_on(std::uint32_t id,
                         std::vector<std::int64_t> ordinals,
                         base::WallTime started = kNow - minutes(10),
                         std::optional<base::WallTime> ends = kNow + hours(1)) {
  RunningJob job{.id = slurm::JobId(id), .nodes = {}, .started = started, .ends = ends};
  for (const std::int64_t ordinal : ordinals) job.nodes.push_back(worker_name(ordinal));
  return job;
}

// All facts of one decision.
struct Scene {
  explicit Scene(std::int64_t replicas) : set(worker_set(replicas)) {}

  Scene& with(kube::ObservedPod pod) {
    pods.push_back(std::move(pod));
    return *this;
  }
  Scene& with(slurm::Node node) {
    slurm.nodes[node.name.value()] = std::move(node);
    return *this;
  }
  // A worker with a running pod and a registered node.
  Scene& worker(std::int64_t ordinal,
                std::vector<std::string> states = {"IDLE"},
                std::string reason = "") {
    with(running_pod(ordinal));
    return with(slurm_node(ordinal, std::move(states), std::move(reason)));
  }
  Scene& jobs(std::vector<RunningJob> all) {
    slurm.jobs = std::move(all);
    return *this;
  }

  SlurmView view() const {
    if (unknown) return SlurmUnknown{"slurmrestd does not answer"};
    return slurm;
  }
  // Calls a function with the facts, which live as long as the call.
  template <class Function>
  auto with_facts(Function&& function) const {
    const SlurmView seen = view();
    const WorkerFacts facts{.set = set,
                            .template_hash = kHash,
                            .pods = pods,
                            .slurm = seen,
                            .never_available = never_available,
                            .now = now};
    return function(facts);
  }
  WorkerPlan plan() const {
    return with_facts([](const WorkerFacts& facts) { return plan_workers(facts); });
  }

  settle::WorkerSet set;
  std::vector<kube::ObservedPod> pods = {};
  SlurmKnown slurm = {.as_of = kNow, .nodes = {}};
  bool unknown = false;
  bool never_available = false;
  base::WallTime now = kNow;
};

// Steps as text, for tables: "drain worker-1 (slurm-operator: scale-down)", "delete worker-1".
struct StepText {
  std::string operator()(const DrainNode& s) const {
    return fmt::format("drain {} ({})", s.node, s.reason);
  }
  std::string operator()(const UndrainNode& s) const { return "undrain " + s.node; }
  std::string operator()(const DownNode& s) const {
    return fmt::format("down {} ({})", s.node, s.reason);
  }
  std::string operator()(const ResumeNode& s) const { return "resume " + s.node; }
  std::string operator()(const RemoveNode& s) const { return "remove " + s.node; }
  std::string operator()(const CreatePod& s) const { return fmt::format("create {}", s.ordinal); }
  std::string operator()(const DeletePod& s) const { return "delete " + s.pod.name; }
};

inline std::vector<std::string> texts(const WorkerPlan& plan) {
  std::vector<std::string> all;
  for (const SlurmStep& step : plan.slurm) all.push_back(std::visit(StepText{}, step));
  for (const PodStep& step : plan.pods) all.push_back(std::visit(StepText{}, step));
  return all;
}

// The step as text; "" for none.
template <class Step>
std::string text(const std::optional<Step>& step) {
  return step ? std::visit(StepText{}, *step) : "";
}

}  // namespace slurmop::workers::testing
