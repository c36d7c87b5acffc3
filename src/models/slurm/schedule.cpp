// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/cluster.h"
#include "models/slurm/hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace models::slurm {
namespace {

using base::Duration;
using base::Instant;

constexpr auto kUnlimited = std::chrono::hours(365 * 24);  // the value that Slurm uses

// The first instant at or after `when` that is a multiple of the interval.
Instant next_slot(Instant when, Duration interval) {
  const auto since = when.time_since_epoch();
  return Instant((since + interval - Duration(1)) / interval * interval);
}

// Why the job would be pending for ever; empty if it would not.
std::string_view never_starts(const SlurmJob& job, const SlurmPartition* where, std::size_t nodes) {
  if (where != nullptr && where->max_minutes && job.limit_minutes > where->max_minutes)
    return "PartitionTimeLimit";
  if (job.node_count > nodes) return "PartitionNodeLimit";
  if (where != nullptr && !where->users.empty() && !where->users.contains(job.user))
    return "AccountNotAllowed";  // Slurm's reason for a group that is not allowed
  return job.reservation.empty() ? "" : "Reservation";
}

constexpr std::string_view kReserved = "ReqNodeNotAvail, May be reserved for other job";
constexpr std::string_view kAllDown =
    "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";

}  // namespace

std::optional<Instant> SlurmCluster::deadline_of(const SlurmJob& job) const {
  if (job.state != "RUNNING") return std::nullopt;
  std::optional<Instant> deadline = job.grace_ends;
  if (job.limit_minutes) {
    const Instant limit =
        job.started_at + job.suspended_for + std::chrono::minutes(*job.limit_minutes);
    deadline = std::min(limit, deadline.value_or(limit));
  }
  return deadline;
}

Instant SlurmCluster::expected_end(const SlurmJob& job) const {
  const auto limit =
      job.limit_minutes ? Duration(std::chrono::minutes(*job.limit_minutes)) : kUnlimited;
  return (job.pending() ? clock_.now() : job.started_at + job.suspended_for) + limit;
}

Instant SlurmCluster::scheduling_due() const {
  if (!unscheduled_since_ || queue_.empty()) return base::kNever;
  const Instant slot = next_slot(*unscheduled_since_, options_.scheduling_interval);
  return last_scheduled_ && slot <= *last_scheduled_
             ? *last_scheduled_ + options_.scheduling_interval
             : slot;
}

Instant SlurmCluster::limit_due() const {
  if (deadlines_.empty()) return base::kNever;
  return next_slot(deadlines_.begin()->first, options_.limit_interval);
}

Instant SlurmCluster::purge_due() const {
  if (ended_.empty()) return base::kNever;
  return next_slot(ended_.begin()->first + options_.min_job_age, options_.limit_interval);
}

Instant SlurmCluster::next_tick() const {
  return std::min({scheduling_due(), limit_due(), purge_due(), answers_due()});
}

void SlurmCluster::tick() {
  const Instant now = clock_.now();
  if (answers_due() <= now) miss_answers();
  if (limit_due() <= now) check_limits();
  if (scheduling_due() <= now) {
    last_scheduled_ =
        next_slot(now - options_.scheduling_interval + Duration(1), options_.scheduling_interval);
    unscheduled_since_.reset();
    schedule();
  }
  if (purge_due() <= now) purge();
}

void SlurmCluster::check_limits() {
  const Instant now = clock_.now();
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    SlurmJob& job = jobs_.at(deadlines_.begin()->second);
    if (job.grace_ends) {  // whichever of the two ended first
      finish(job, "PREEMPTED", "None");
    } else {
      finish(job, "TIMEOUT", "TimeLimit");
    }
  }
}

void SlurmCluster::purge() {
  const Instant now = clock_.now();
  while (!ended_.empty() && ended_.begin()->first + options_.min_job_age <= now) {
    const std::uint32_t id = ended_.begin()->second;
    ended_.erase(ended_.begin());
    const auto job = jobs_.extract(id);
    notify_change("purged", job.mapped());
  }
}

// In the order of priority and age; the first pending job of a partition is not delayed by jobs
// that start before it.
void SlurmCluster::schedule() {
  const Instant now = clock_.now();
  std::vector<RunningJob> running;
  std::vector<Reservation> reservations;
  std::set<std::string_view> blocked;  // partitions

  const std::vector<std::pair<std::int64_t, std::uint32_t>> order(queue_.begin(), queue_.end());
  for (const auto& [unused, id] : order) {
    const auto found = jobs_.find(id);
    // On_change may have changed it.
    if (found == jobs_.end() || !found->second.pending()) continue;
    SlurmJob& job = found->second;
    const SlurmPartition* where = partition(job.partition);
    const SlurmHosts hosts = hosts_of(job.partition);
    if (const auto never = never_starts(job, where, hosts.size()); !never.empty()) {
      set_reason(job, std::string(never));
      continue;
    }
    const Instant end = expected_end(job);
    const auto chosen = place(job, hosts, [&](const SlurmHost& host) {
      return std::ranges::all_of(reservations,
                                 [&](const Reservation& r) { return r.leaves(&host, end); });
    });
    if (!chosen.empty()) {
      start(job, chosen);
      running.clear();
      continue;
    }
    for (const std::uint32_t victim : victims_for(job, hosts)) preempt(victim);
    const bool first = enough_nodes(job) && blocked.insert(job.partition).second;
    if (first) {
      if (running.size() != running_.size()) {
        running.clear();
        for (const std::uint32_t one : running_) {
          running.push_back({expected_end(jobs_.at(one)), &jobs_.at(one)});
        }
        std::ranges::sort(running, {}, &RunningJob::end);
      }
      reservations.push_back(reservation_of(job, hosts, running, now));
      const auto until = reservations.back().start - now;
      job.start_time = wall() + std::chrono::floor<std::chrono::seconds>(until).count();
      job.end_time = job.start_time + 60 * job.limit_minutes.value_or(365 * 24 * 60);
    }
    explain_waiting(job, first);
  }
}

// True if the nodes that accept jobs would suffice if they were empty.
bool SlurmCluster::enough_nodes(SlurmJob& job) const {
  if (job.enough_nodes_as_of == node_states_) return true;
  const bool enough = prospects_of(job, hosts_of(job.partition)).now();
  job.enough_nodes_as_of = enough ? node_states_ : 0;
  return enough;
}

void SlurmCluster::explain_waiting(SlurmJob& job, bool first) {
  if (!enough_nodes(job)) return explain_unavailable(job);
  if (first) return set_reason(job, "Resources");
  if (!job.required.empty()) return set_reason(job, "ReqNodeNotAvail", std::string(kReserved));
  set_reason(job, "Priority");
}

void SlurmCluster::explain_unavailable(SlurmJob& job) {
  const Prospects prospects = prospects_of(job, hosts_of(job.partition));
  const bool picky = !job.required.empty() || !job.excluded.empty();
  job.start_time = 0;
  job.end_time = 0;
  if (!picky) return set_reason(job, "Resources", std::string(kAllDown));
  if (prospects.unavailable.empty()) {
    return set_reason(job, "ReqNodeNotAvail", std::string(kReserved));
  }
  const auto names = compress_hostlist(prospects.unavailable);
  set_reason(job,
             "ReqNodeNotAvail",
             fmt::format("ReqNodeNotAvail, UnavailableNodes:{}", names.ok() ? *names : ""));
}

}  // namespace models::slurm
