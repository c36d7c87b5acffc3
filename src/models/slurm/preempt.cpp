// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/cluster.h"

#include <algorithm>
#include <map>

// Which jobs are preempted for which, as with PreemptType=preempt/qos and PreemptMode=CANCEL.
namespace models::slurm {
namespace {

// The nodes of a partition after planned changes.
class Trial {
 public:
  explicit Trial(SlurmHosts hosts) {
    for (const SlurmHost* host : hosts) copies_.push_back(*host);
  }

  void release(const SlurmJob& job) {
    for (const SlurmAllocation& held : job.allocation) {
      const auto host = std::ranges::find_if(
          copies_, [&](const SlurmHost& one) { return one.node->name == held.node; });
      if (host != copies_.end()) host->use.release(held);
    }
  }

  // The nodes on which the job would start; empty if it cannot.
  std::set<std::string> nodes_for(const SlurmJob& job) {
    std::vector<SlurmHost*> hosts;
    for (SlurmHost& host : copies_) hosts.push_back(&host);
    std::set<std::string> names;
    for (const SlurmHost* host : place(job, hosts, [](const SlurmHost&) { return true; }))
      names.insert(host->node->name);
    return names;
  }

 private:
  std::vector<SlurmHost> copies_;
};

bool is_on(const SlurmJob& job, const std::set<std::string>& nodes) {
  return std::ranges::any_of(job.nodes, [&](const auto& node) { return nodes.contains(node); });
}

}  // namespace

const SlurmQos& SlurmCluster::qos_of(const SlurmJob& job) const {
  static const SlurmQos kOrdinary;
  const auto found = options_.qos.find(job.qos);
  return found == options_.qos.end() ? kOrdinary : found->second;
}

// The jobs that must end so that this one can start: one if that is enough. Jobs that are already
// being preempted are taken into account.
std::vector<std::uint32_t> SlurmCluster::victims_for(const SlurmJob& job, SlurmHosts hosts) const {
  const SlurmQos& qos = qos_of(job);
  if (qos.preempts.empty()) return {};
  Trial trial(hosts);
  std::vector<const SlurmJob*> others;
  for (const std::uint32_t id : running_) {
    const SlurmJob& one = jobs_.at(id);
    if (one.grace_ends) {
      trial.release(one);
    } else if (qos.preempts.contains(one.qos)) {
      others.push_back(&one);
    }
  }
  if (!trial.nodes_for(job).empty()) return {};
  std::ranges::sort(
      others, {}, [](const SlurmJob* one) { return std::pair(one->priority, one->id); });
  for (const SlurmJob* one : others) {
    Trial without = trial;
    without.release(*one);
    if (!without.nodes_for(job).empty()) return {one->id};
  }
  std::vector<std::uint32_t> victims;
  for (const SlurmJob* one : others) trial.release(*one);
  const std::set<std::string> nodes = trial.nodes_for(job);
  for (const SlurmJob* one : others) {
    if (is_on(*one, nodes)) victims.push_back(one->id);
  }
  return victims;
}

void SlurmCluster::preempt(std::uint32_t id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end() || found->second.state != "RUNNING" || found->second.grace_ends) return;
  SlurmJob& job = found->second;
  const base::Duration grace = qos_of(job).grace;
  if (grace == base::Duration::zero()) return finish(job, "PREEMPTED", "None");
  if (const auto deadline = deadline_of(job)) deadlines_.erase({*deadline, id});
  job.preempted_at = clock_.now();
  job.grace_ends = clock_.now() + grace;
  job.preempt_time = wall();
  job.end_time = wall() + std::chrono::floor<std::chrono::seconds>(grace).count();
  deadlines_.emplace(*deadline_of(job), id);
  send_to_nodes(job);
  notify_change("updated", job);
}

}  // namespace models::slurm
