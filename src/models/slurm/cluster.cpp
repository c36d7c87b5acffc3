// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/cluster.h"

#include <algorithm>
#include <utility>

namespace models::slurm {

SlurmCluster::SlurmCluster(const base::Clock& clock, SlurmOptions options)
    : clock_(clock), options_(std::move(options)), next_id_(options_.first_job_id) {
  for (const SlurmNode& node : options_.nodes) nodes_.emplace(node.name, node);
  rebuild_hosts();
  nodes_changed();
}

std::int64_t SlurmCluster::wall() const {
  return std::chrono::floor<std::chrono::seconds>(clock_.wall()).time_since_epoch().count();
}

const SlurmJob* SlurmCluster::find(std::uint32_t id) const {
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : &found->second;
}

const SlurmPartition* SlurmCluster::partition(std::string_view name) const {
  const auto found = std::ranges::find(options_.partitions, name, &SlurmPartition::name);
  return found == options_.partitions.end() ? nullptr : &*found;
}

SlurmHosts SlurmCluster::hosts_of(const std::string& partition) const {
  const auto found = partition_hosts_.find(partition);
  return found == partition_hosts_.end() ? SlurmHosts() : SlurmHosts(found->second);
}

void SlurmCluster::rebuild_hosts() {
  hosts_.clear();
  partition_hosts_.clear();
  for (auto& [name, node] : nodes_) hosts_[name].node = &node;
  for (const std::uint32_t id : running_) {
    for (const SlurmAllocation& held : jobs_.at(id).allocation) {
      const auto host = hosts_.find(held.node);
      if (host != hosts_.end()) host->second.use.occupy(held);
    }
  }
  for (const SlurmPartition& partition : options_.partitions) {
    auto& members = partition_hosts_[partition.name];
    for (auto& [name, host] : hosts_) {
      if (partition.nodes.empty() ||
          std::ranges::find(partition.nodes, name) != partition.nodes.end()) {
        members.push_back(&host);
      }
    }
  }
}

void SlurmCluster::notify_change(std::string_view what, const SlurmJob& job) {
  last_job_update_ = wall();
  for (const auto& call : on_change_) call({what, &job});
}

void SlurmCluster::nodes_changed() {
  ++node_states_;
  last_node_update_ = wall();
  need_scheduling();
}

void SlurmCluster::need_scheduling() {
  if (!unscheduled_since_) unscheduled_since_ = clock_.now();
}

void SlurmCluster::queue(const SlurmJob& job) {
  if (!job.pending() || job.held) return;
  if (queue_.empty()) unscheduled_since_.reset();  // changes without pending jobs do not matter
  queue_.emplace(-job.priority, job.id);
  need_scheduling();
}

void SlurmCluster::unqueue(const SlurmJob& job) {
  queue_.erase({-job.priority, job.id});
}

SlurmJob& SlurmCluster::add(SlurmJob job) {
  job.id = next_id_++;
  job.node_count = std::max({job.node_count, 1U, static_cast<std::uint32_t>(job.required.size())});
  if (job.priority == 0 && !job.held) job.priority = qos_of(job).priority;
  job.submitted_at = clock_.now();
  job.submit_time = wall();
  if (job.held && job.reason == "None") job.reason = "JobHeldUser";
  SlurmJob& added = jobs_[job.id] = std::move(job);
  queue(added);
  notify_change("submitted", added);
  return added;
}

std::uint32_t SlurmCluster::submit(SlurmJob job) {
  if (job.partition.empty() && !options_.partitions.empty()) {
    job.partition = options_.partitions.front().name;
  }
  return add(std::move(job)).id;
}

void SlurmCluster::start(SlurmJob& job, const std::vector<SlurmHost*>& hosts) {
  unqueue(job);
  const auto count = static_cast<std::uint32_t>(hosts.size());
  const NodeShare share = share_of(job, count);
  job.nodes.clear();
  job.allocation.clear();
  for (SlurmHost* host : hosts) {
    job.nodes.push_back(host->node->name);
    job.allocation.push_back(host->use.take(*host->node, share));
  }
  job.state = "RUNNING";
  job.reason = "None";
  job.description.clear();
  job.started_at = clock_.now();
  job.start_time = wall();
  job.end_time = job.start_time + 60 * job.limit_minutes.value_or(365 * 24 * 60);
  running_.insert(job.id);
  if (const auto deadline = deadline_of(job)) deadlines_.emplace(*deadline, job.id);
  last_node_update_ = wall();
  notify_change("started", job);
}

void SlurmCluster::finish(SlurmJob& job, std::string state, std::string reason) {
  unqueue(job);
  if (job.on_nodes()) {
    if (const auto deadline = deadline_of(job)) deadlines_.erase({*deadline, job.id});
    running_.erase(job.id);
    for (const SlurmAllocation& held : job.allocation) {
      const auto host = hosts_.find(held.node);
      if (host != hosts_.end()) host->second.use.release(held);
    }
    last_node_update_ = wall();
  }
  need_scheduling();  // even for a pending job: those behind it move up
  if (job.pending()) job.start_time = wall();
  if (!reason.empty()) job.reason = std::move(reason);
  job.state = std::move(state);
  job.ended_at = clock_.now();
  job.end_time = wall();
  job.grace_ends.reset();
  if (job.state == "PREEMPTED" && job.preempt_time == 0) job.preempt_time = job.end_time;
  ended_.emplace(job.ended_at, job.id);
  notify_change("ended", job);
}

void SlurmCluster::set_reason(SlurmJob& job, std::string reason, std::string description) {
  if (job.reason == reason && job.description == description) return;
  job.reason = std::move(reason);
  job.description = std::move(description);
  notify_change("updated", job);
}

void SlurmCluster::change_priority(SlurmJob& job, std::int64_t priority) {
  unqueue(job);
  job.priority = priority;
  queue(job);
}

void SlurmCluster::set_held(SlurmJob& job, bool held, bool by_admin) {
  unqueue(job);
  job.held = held;
  job.priority = held ? 0 : qos_of(job).priority;
  job.reason = held ? (by_admin ? "JobHeldAdmin" : "JobHeldUser") : "None";
  job.description.clear();
  queue(job);
  need_scheduling();  // those behind it move up
}

}  // namespace models::slurm
