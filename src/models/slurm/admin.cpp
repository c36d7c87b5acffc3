// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/cluster.h"

#include <algorithm>
#include <ranges>
#include <utility>

// Actions of administrators and users without REST.
namespace models::slurm {

bool SlurmCluster::end(std::uint32_t id, std::string state, std::string reason) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end() || !found->second.live()) return false;
  finish(found->second, std::move(state), std::move(reason));
  return true;
}

void SlurmCluster::suspend(std::uint32_t id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end() || found->second.state != "RUNNING") return;
  SlurmJob& job = found->second;
  if (const auto deadline = deadline_of(job)) deadlines_.erase({*deadline, id});
  job.state = "SUSPENDED";
  job.suspended_at = clock_.now();
  notify_change("updated", job);
}

void SlurmCluster::resume_job(std::uint32_t id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end() || found->second.state != "SUSPENDED") return;
  SlurmJob& job = found->second;
  job.state = "RUNNING";
  job.suspended_for += clock_.now() - job.suspended_at;
  if (const auto deadline = deadline_of(job)) deadlines_.emplace(*deadline, id);
  notify_change("updated", job);
}

void SlurmCluster::hold(std::uint32_t id, bool held) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end() || !found->second.live() || found->second.held == held) return;
  set_held(found->second, held, true);
  notify_change("updated", found->second);
}

void SlurmCluster::drain(const std::string& node, std::string reason) {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return;
  found->second.drained = true;
  if (!reason.empty()) {
    found->second.reason = std::move(reason);
    found->second.reason_set_by = "root";
    found->second.reason_set_at = wall();
  }
  nodes_changed();
}

void SlurmCluster::undrain(const std::string& node) {
  const auto found = nodes_.find(node);
  if (found != nodes_.end()) set_node_state(found->second, "UNDRAIN", "root");
}

void SlurmCluster::fail_node(const std::string& node, std::string reason) {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return;
  found->second.reason = std::move(reason);
  found->second.reason_set_by = "root";
  found->second.reason_set_at = wall();
  set_node_state(found->second, "DOWN", "root");
}

void SlurmCluster::resume_node(const std::string& node) {
  const auto found = nodes_.find(node);
  if (found != nodes_.end()) set_node_state(found->second, "RESUME", "root");
}

// slurmctld saves no state of an external node in slurm.conf, except the text of the reason.
void SlurmCluster::forget_static_states() {
  unanswered_.clear();
  for (SlurmNode& node : std::views::values(nodes_)) {
    node.not_responding = false;
    if (!node.external || node.dynamic) continue;
    node.drained = false;
    node.down = false;
  }
  nodes_changed();
}

void SlurmCluster::restart() {
  forget_static_states();
  fail_those_that_require_unknown_nodes();
}

// Names are resolved again at a start. An unknown name in the excluded nodes is ignored.
void SlurmCluster::fail_those_that_require_unknown_nodes() {
  for (SlurmJob& job : std::views::values(jobs_)) {
    const bool known = std::ranges::all_of(
        job.required, [this](const std::string& name) { return nodes_.contains(name); });
    if (job.live() && !known) finish(job, "NODE_FAIL", "NodeDown");
  }
}

void SlurmCluster::restart_losing(base::Instant everything_after) {
  std::vector<SlurmJob> lost;
  std::vector<std::uint32_t> changed;
  for (auto at = jobs_.begin(); at != jobs_.end();) {
    SlurmJob& job = at->second;
    if (job.submitted_at > everything_after) {
      lost.push_back(std::move(job));
      at = jobs_.erase(at);
      continue;
    }
    if (job.preempted_at > everything_after) {
      job.preempted_at.reset();
      job.grace_ends.reset();
      job.preempt_time = 0;
      job.end_time = job.start_time + 60 * job.limit_minutes.value_or(365 * 24 * 60);
    }
    const bool ran = !job.nodes.empty();
    const bool started = ran && job.started_at <= everything_after;
    // A job on a node that was deleted meanwhile cannot be restored.
    const bool could = std::ranges::all_of(job.nodes, [&](auto& n) { return nodes_.contains(n); });
    const bool ended = !job.live() && (job.ended_at <= everything_after || !could);
    const std::string was = ended ? job.state : (started ? "RUNNING" : "PENDING");
    const bool same = was == job.state || (was == "RUNNING" && job.state == "SUSPENDED");
    if (!same) {
      job.state = was;
      job.reason = job.held ? "JobHeldUser" : "None";
      job.ended_at = {};
      if (!job.preempted_at) job.preempt_time = 0;
      if (job.preempted_at) job.grace_ends = *job.preempted_at + qos_of(job).grace;
      job.end_time = job.start_time + 60 * job.limit_minutes.value_or(365 * 24 * 60);
      if (job.pending()) {
        job.end_time = 0;
        job.nodes.clear();
        job.allocation.clear();
        job.started_at = {};
        job.start_time = 0;
      }
      changed.push_back(job.id);
    }
    ++at;
  }
  if (!lost.empty()) next_id_ = lost.front().id;
  rebuild_queues();
  forget_static_states();
  fail_those_that_require_unknown_nodes();
  for (const SlurmJob& job : lost) notify_change("lost", job);
  for (const std::uint32_t id : changed) notify_change("updated", jobs_.at(id));
}

void SlurmCluster::restart_empty() {
  const auto lost = std::exchange(jobs_, {});
  next_id_ = options_.first_job_id;
  nodes_.clear();
  unanswered_.clear();
  for (const SlurmNode& node : options_.nodes) nodes_.emplace(node.name, node);
  rebuild_queues();
  nodes_changed();
  for (const SlurmJob& job : std::views::values(lost)) notify_change("lost", job);
}

void SlurmCluster::restart_with(SlurmState state) {
  const auto before = std::exchange(jobs_, std::move(state.jobs));
  next_id_ = state.next_id;
  const auto is_same = [](const SlurmJob& a, const SlurmJob& b) {
    return a.submitted_at == b.submitted_at && a.admin_comment == b.admin_comment;
  };
  std::vector<const SlurmJob*> lost;
  for (const auto& [id, job] : before) {
    const SlurmJob* here = find(id);
    if (here == nullptr || !is_same(job, *here)) lost.push_back(&job);
  }
  std::vector<std::uint32_t> returned;
  std::vector<std::uint32_t> changed;
  for (const auto& [id, job] : jobs_) {
    const auto was = before.find(id);
    if (was == before.end() || !is_same(job, was->second)) {
      returned.push_back(id);
    } else if (was->second.state != job.state || was->second.nodes != job.nodes) {
      changed.push_back(id);
    }
  }
  rebuild_queues();
  forget_static_states();
  for (const SlurmJob* job : lost) notify_change("lost", *job);
  for (const std::uint32_t id : returned) notify_change("returned", jobs_.at(id));
  for (const std::uint32_t id : changed) notify_change("updated", jobs_.at(id));
  fail_those_that_require_unknown_nodes();
  for (SlurmJob& job : std::views::values(jobs_)) {
    const bool could = std::ranges::all_of(job.nodes, [this](const std::string& name) {
      const auto node = nodes_.find(name);
      return node != nodes_.end() && !node->second.down;
    });
    if (job.on_nodes() && !could) finish(job, "NODE_FAIL", "NodeDown");
  }
}

void SlurmCluster::rebuild_queues() {
  queue_.clear();
  running_.clear();
  deadlines_.clear();
  ended_.clear();
  for (SlurmJob& job : std::views::values(jobs_)) {
    queue(job);
    if (job.on_nodes()) running_.insert(job.id);
    if (const auto deadline = deadline_of(job)) deadlines_.emplace(*deadline, job.id);
    if (!job.live()) ended_.emplace(job.ended_at, job.id);
  }
  rebuild_hosts();
}

}  // namespace models::slurm
