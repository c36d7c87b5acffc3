// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "kube/api/workloads.h"
#include "operator/workers/plan_workers.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slurmop::workers {

// kubelet, slurmd and slurmctld have clocks of their own, and report whole seconds.
inline constexpr auto kClockTolerance = std::chrono::seconds(2);
// A worker that needs longer than this to register is reported.
inline constexpr auto kRegisterTime = std::chrono::seconds(60);

// What the plan wants of a worker.
enum class Role {
  kept,       // one of the desired workers
  leaving,    // to be removed
  undecided,  // one of several busy workers; the jobs decide which of them leaves
};

// One worker: its pod and its Slurm node, which have the same name.
//
// Expects     the WorkerFacts outlive it.
struct Worker {
  std::int64_t ordinal = 0;
  std::string name;
  const kube::ObservedPod* pod = nullptr;    // nullptr: there is none
  const slurm::Node* node = nullptr;         // nullptr: Slurm does not know it, or Slurm is unknown
  std::vector<const RunningJob*> jobs = {};  // on the node; empty also if the jobs were not read
  Role role = Role::kept;
};
using Workers = std::map<std::int64_t, Worker>;  // by ordinal

// All ordinals that have a pod or a Slurm node. Names that are not of the set are ignored.
Workers workers_of(const WorkerFacts& facts);

// nullptr: Slurm is unknown.
const SlurmKnown* known_slurm(const WorkerFacts& facts);

enum class PodState {
  none,
  leaving,  // being deleted
  ended,    // phase Failed or Succeeded: its containers never run again
  waiting,  // slurmd does not run now
  running,  // slurmd runs, or may run
};
PodState pod_state(const Worker& worker);

// When the current slurmd container started; empty: it does not run.
std::optional<base::WallTime> slurmd_started(const Worker& worker);
// When the worker could first have registered: slurmd_started(), or the creation of the pod.
base::WallTime waits_since(const Worker& worker, base::WallTime now);

// The slurmd of the current container has registered with slurmctld.
bool is_registered(const Worker& worker);
// Slurm shows jobs on the node, running or completing.
bool is_busy(const Worker& worker);
// The node accepts or runs jobs.
bool is_ready(const Worker& worker);

base::WallTime wall_time(std::int64_t unix_seconds);

}  // namespace slurmop::workers
