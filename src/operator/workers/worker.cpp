// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/worker.h"

#include "base/rfc3339.h"

#include <algorithm>
#include <string_view>

namespace slurmop::workers {
namespace {

constexpr std::string_view kSlurmd = "slurmd";

const kube::ContainerState* slurmd_state(const Worker& worker) {
  if (worker.pod == nullptr) return nullptr;
  const auto& all = worker.pod->status.containerStatuses;
  const auto found = std::ranges::find(all, kSlurmd, &kube::ContainerStatus::name);
  return found == all.end() ? nullptr : &found->state;
}

Worker& worker_at(Workers& workers, std::int64_t ordinal, const std::string& name) {
  Worker& worker = workers[ordinal];
  worker.ordinal = ordinal;
  worker.name = name;
  return worker;
}

void add_jobs(Workers& workers, const std::vector<RunningJob>& jobs) {
  std::map<std::string_view, Worker*> by_name;
  for (auto& [ordinal, worker] : workers) by_name[worker.name] = &worker;
  for (const RunningJob& job : jobs) {
    for (const std::string& node : job.nodes) {
      const auto found = by_name.find(node);
      if (found != by_name.end()) found->second->jobs.push_back(&job);
    }
  }
}

}  // namespace

const SlurmKnown* known_slurm(const WorkerFacts& facts) {
  return std::get_if<SlurmKnown>(&facts.slurm);
}

Workers workers_of(const WorkerFacts& facts) {
  Workers workers;
  for (const kube::ObservedPod& pod : facts.pods) {
    const auto ordinal = facts.set.ordinal_of(pod.metadata.name);
    if (ordinal) worker_at(workers, *ordinal, pod.metadata.name).pod = &pod;
  }
  const SlurmKnown* slurm = known_slurm(facts);
  if (slurm == nullptr) return workers;
  for (const auto& [name, node] : slurm->nodes) {
    const auto ordinal = facts.set.ordinal_of(name);
    if (ordinal) worker_at(workers, *ordinal, name).node = &node;
  }
  if (slurm->jobs) add_jobs(workers, *slurm->jobs);
  return workers;
}

PodState pod_state(const Worker& worker) {
  if (worker.pod == nullptr) return PodState::none;
  if (worker.pod->metadata.deleting()) return PodState::leaving;
  const std::string& phase = worker.pod->status.phase;
  if (phase == "Failed" || phase == "Succeeded") return PodState::ended;
  const kube::ContainerState* slurmd = slurmd_state(worker);
  if (slurmd != nullptr && slurmd->running) return PodState::running;
  if (slurmd != nullptr && (slurmd->waiting || slurmd->terminated)) return PodState::waiting;
  return phase == "Pending" || phase.empty() ? PodState::waiting : PodState::running;
}

std::optional<base::WallTime> slurmd_started(const Worker& worker) {
  const kube::ContainerState* slurmd = slurmd_state(worker);
  if (slurmd == nullptr || !slurmd->running) return std::nullopt;
  const auto started = base::parse_rfc3339(slurmd->running->startedAt);
  return started.ok() ? std::optional(*started) : std::nullopt;
}

base::WallTime waits_since(const Worker& worker, base::WallTime now) {
  if (const auto started = slurmd_started(worker)) return *started;
  if (worker.pod == nullptr) return now;
  const auto created = base::parse_rfc3339(worker.pod->metadata.creationTimestamp);
  return created.ok() ? *created : now;
}

bool is_registered(const Worker& worker) {
  const auto started = slurmd_started(worker);
  if (!started || worker.node == nullptr || worker.node->slurmd_start_time == 0) return false;
  return wall_time(worker.node->slurmd_start_time) >= *started - kClockTolerance;
}

bool is_busy(const Worker& worker) {
  return worker.node != nullptr && worker.node->busy();
}

bool is_ready(const Worker& worker) {
  if (pod_state(worker) != PodState::running || !is_registered(worker)) return false;
  const slurm::Node& node = *worker.node;
  return !node.down() && !node.not_responding() && !node.draining() &&
         (node.has_state("IDLE") || node.busy());
}

base::WallTime wall_time(std::int64_t unix_seconds) {
  return base::WallTime(std::chrono::seconds(unix_seconds));
}

}  // namespace slurmop::workers
