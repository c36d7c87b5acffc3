// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/workers/out_of_service.h"
#include "operator/workers/testing_workers.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

// For tests only.
namespace slurmop::workers::testing {

// A small model of kubelets and of slurmctld (ReturnToService=1, slurmd -b), which executes the steps
// of plans. One tick is three seconds.
//
// Guarantees  throws std::runtime_error if a plan breaks a rule that only the model can see: a
//             running job was ended by the operator, a drain of others was removed.
class WorkerModel {
 public:
  explicit WorkerModel(std::int64_t replicas) : scene_(replicas) {}

  Scene& scene() { return scene_; }
  std::vector<RunningJob>& jobs() { return jobs_; }

  // One decision, executed at once.
  WorkerPlan decide() {
    scene_.slurm.jobs.reset();
    if (wants_jobs_) scene_.slurm.jobs = jobs_;
    const WorkerPlan plan = scene_.plan();
    for (const SlurmStep& step : plan.slurm) std::visit(*this, step);
    for (const PodStep& step : plan.pods) std::visit(*this, step);
    wants_jobs_ = plan.wants_jobs;
    return plan;
  }

  void tick() {
    scene_.now += seconds(3);
    std::erase_if(scene_.pods, [](const auto& pod) { return pod.metadata.deleting(); });
    end_jobs([&](const RunningJob& job) { return job.ends && *job.ends <= scene_.now; });
    for (kube::ObservedPod& pod : scene_.pods) run(pod);
    lose_nodes();
    update_states();
  }

  // Events.
  void start_job(std::int64_t ordinal, seconds length) {
    slurm::Node* node = node_at(ordinal);
    const kube::ObservedPod* pod = pod_at(ordinal);
    if (node == nullptr || !node->has_state("IDLE") || out_of_service(*node) != OutOfService::no)
      return;
    if (node->not_responding() || pod == nullptr || !is_registered(joined(*pod, node))) return;
    jobs_.push_back(job_on(++last_job_, {ordinal}, scene_.now, scene_.now + length));
    update_states();
  }
  // The pod vanishes, as after kubectl delete --force.
  void kill_pod(std::int64_t ordinal) {
    make_ghosts(ordinal);
    std::erase_if(scene_.pods,
                  [&](const auto& pod) { return pod.metadata.name == worker_name(ordinal); });
  }
  void fail_pod(std::int64_t ordinal) {
    kube::ObservedPod* pod = pod_at(ordinal);
    if (pod == nullptr || pod->metadata.deleting()) return;
    make_ghosts(ordinal);
    pod->status.phase = "Failed";
    pod->status.containerStatuses.clear();
  }
  void restart_container(std::int64_t ordinal) {
    kube::ObservedPod* pod = pod_at(ordinal);
    if (pod == nullptr || pod->status.phase != "Running") return;
    make_ghosts(ordinal);
    pod->status.containerStatuses[0].state = {};
    pod->status.containerStatuses[0].state.waiting =
        kube::ContainerStateWaiting{"CrashLoopBackOff", ""};
  }
  void admin_drains(std::int64_t ordinal) {
    if (slurm::Node* node = node_at(ordinal)) take_out(*node, "DRAIN", "fan");
  }
  void admin_resumes(std::int64_t ordinal) {
    if (slurm::Node* node = node_at(ordinal)) release(*node);
  }

  // Steps.
  void operator()(const DrainNode& step) {
    take_out(scene_.slurm.nodes.at(step.node), "DRAIN", step.reason);
  }
  void operator()(const UndrainNode& step) {
    slurm::Node& node = scene_.slurm.nodes.at(step.node);
    require(!node.reason.starts_with("fan"), "a drain of others was removed");
    std::erase(node.states, "DRAIN");
    if (!node.down()) node.reason.clear();
  }
  void operator()(const DownNode& step) {
    slurm::Node& node = scene_.slurm.nodes.at(step.node);
    for (const RunningJob& job : jobs_)
      require(!is_on(job, step.node) || is_ghost(job) || has_ghosts(step.node),
              "DOWN ended a job that runs");
    require(!node.reason.starts_with("fan") || step.reason == node.reason,
            "the reason of others was replaced");
    end_jobs([&](const RunningJob& job) { return is_on(job, step.node); });
    take_out(node, "DOWN", step.reason);
    update_states();
  }
  void operator()(const ResumeNode& step) {
    slurm::Node& node = scene_.slurm.nodes.at(step.node);
    require(!node.reason.starts_with("fan"), "a node of others was resumed");
    release(node);
  }
  void operator()(const RemoveNode& step) {
    require(std::ranges::none_of(jobs_, [&](const RunningJob& j) { return is_on(j, step.node); }),
            "Slurm refuses to delete a node with jobs");
    scene_.slurm.nodes.erase(step.node);
  }
  void operator()(const CreatePod& step) {
    require(pod_at(step.ordinal) == nullptr, "the pod already exists");
    scene_.pods.push_back(pending_pod(step.ordinal, scene_.now));
  }
  void operator()(const DeletePod& step) {
    const auto ordinal = *scene_.set.ordinal_of(step.pod.name);
    kube::ObservedPod* pod = pod_at(ordinal);
    require(pod != nullptr, "the pod does not exist");
    for (const RunningJob& job : jobs_)
      require(!is_on(job, step.pod.name) || is_ghost(job) || scene_.set.drain_timeout.has_value(),
              "a pod with a running job was deleted");
    make_ghosts(ordinal);
    pod->metadata.deletionTimestamp = base::format_rfc3339(scene_.now);
  }

  std::int64_t out_by_others() const {
    return std::ranges::count_if(scene_.slurm.nodes, [](const auto& entry) {
      return out_of_service(entry.second) == OutOfService::by_others;
    });
  }

 private:
  static void require(bool kept, const char* rule) {
    if (!kept) throw std::runtime_error(rule);
  }
  static bool is_on(const RunningJob& job, const std::string& node) {
    return std::ranges::count(job.nodes, node) > 0;
  }
  // A ghost never ends by itself.
  static bool is_ghost(const RunningJob& job) { return !job.ends; }
  bool has_ghosts(const std::string& node) const {
    return std::ranges::any_of(
        jobs_, [&](const RunningJob& job) { return is_on(job, node) && is_ghost(job); });
  }
  static Worker joined(const kube::ObservedPod& pod, const slurm::Node* node) {
    return {.ordinal = 0, .name = pod.metadata.name, .pod = &pod, .node = node};
  }
  kube::ObservedPod* pod_at(std::int64_t ordinal) {
    const auto found = std::ranges::find_if(
        scene_.pods, [&](const auto& pod) { return pod.metadata.name == worker_name(ordinal); });
    return found == scene_.pods.end() ? nullptr : &*found;
  }
  slurm::Node* node_at(std::int64_t ordinal) {
    const auto found = scene_.slurm.nodes.find(worker_name(ordinal));
    return found == scene_.slurm.nodes.end() ? nullptr : &found->second;
  }

  template <class Predicate>
  void end_jobs(Predicate ends) {
    std::erase_if(jobs_, ends);
  }
  void make_ghosts(std::int64_t ordinal) {
    for (RunningJob& job : jobs_) {
      if (is_on(job, worker_name(ordinal))) job.ends.reset();
    }
  }

  void take_out(slurm::Node& node, const char* state, std::string reason) {
    if (std::string_view(state) == "DOWN") node.states[0] = "DOWN";
    if (std::string_view(state) == "DRAIN" && !node.has_state("DRAIN"))
      node.states.emplace_back("DRAIN");
    node.reason = std::move(reason);
    node.reason_set_by = "slurm";
    node.reason_changed_at = unix_time(scene_.now);
  }
  void release(slurm::Node& node) {
    std::erase(node.states, "DRAIN");
    std::erase(node.states, "NOT_RESPONDING");
    node.states[0] = "IDLE";
    node.reason.clear();
    update_states();
  }
  void update_states() {
    for (auto& [name, node] : scene_.slurm.nodes) {
      if (node.down()) continue;
      const bool used =
          std::ranges::any_of(jobs_, [&](const RunningJob& job) { return is_on(job, name); });
      node.states[0] = used ? "ALLOCATED" : "IDLE";
    }
  }

  // A pending or waiting pod starts; a slurmd that runs registers one tick later.
  void run(kube::ObservedPod& pod) {
    const Worker worker = joined(pod, nullptr);
    if (pod_state(worker) == PodState::running) {
      slurm::Node* node = node_at(*scene_.set.ordinal_of(pod.metadata.name));
      if (node == nullptr || !is_registered(joined(pod, node))) register_node(pod);
      return;
    }
    if (pod_state(worker) != PodState::waiting) return;
    const auto created = pod.metadata.creationTimestamp;
    const auto ordinal = *scene_.set.ordinal_of(pod.metadata.name);
    pod = running_pod(ordinal, scene_.now);
    pod.metadata.creationTimestamp = created;
  }
  void register_node(const kube::ObservedPod& pod) {
    const std::string& name = pod.metadata.name;
    const bool is_new = !scene_.slurm.nodes.contains(name);
    slurm::Node& node = scene_.slurm.nodes[name];
    if (is_new) node = slurm_node(*scene_.set.ordinal_of(name));
    node.slurmd_start_time = node.boot_time = unix_time(scene_.now);
    std::erase(node.states, "NOT_RESPONDING");
    if (is_new) return;
    // The worst case, seen with ReturnToService=2: the reboot is not noticed, and jobs are ghosts.
    const bool young = std::ranges::any_of(jobs_, [&](const RunningJob& job) {
      return is_on(job, name) && scene_.now - job.started < seconds(15);
    });
    if (young) return;
    const bool unused =
        std::ranges::none_of(jobs_, [&](const RunningJob& job) { return is_on(job, name); });
    end_jobs([&](const RunningJob& job) { return is_on(job, name); });
    if (node.draining() && unused) return;
    node.states[0] = "DOWN";
    if (node.reason.empty() || node.reason == "Not responding")
      node.reason = "Node unexpectedly rebooted";
  }
  // SlurmdTimeout is 30 s here.
  void lose_nodes() {
    for (auto& [name, node] : scene_.slurm.nodes) {
      const kube::ObservedPod* pod = pod_at(*scene_.set.ordinal_of(name));
      const bool responds = pod != nullptr && pod_state(joined(*pod, nullptr)) == PodState::running;
      int& missed = missed_[name];
      missed = responds ? 0 : missed + 1;
      if (missed < 10 || node.not_responding()) continue;
      node.states.emplace_back("NOT_RESPONDING");
      end_jobs([&](const RunningJob& job) { return is_on(job, name); });
      if (!node.down()) node.reason += node.reason.empty() ? "Not responding" : " : Not responding";
      node.states[0] = "DOWN";
    }
  }

  Scene scene_;
  std::vector<RunningJob> jobs_;  // what Slurm shows as running, with ghosts
  std::map<std::string, int> missed_;
  std::uint32_t last_job_ = 0;
  bool wants_jobs_ = false;
};

}  // namespace slurmop::workers::testing
