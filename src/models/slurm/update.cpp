// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/call.h"
#include "models/slurm/cluster.h"
#include "models/slurm/error.h"
#include "models/slurm/job_asked.h"

namespace models::slurm {
namespace {

// Members that cannot be changed once a job runs.
bool changes_allocation(const JobAsked& asked) {
  return asked.memory_per_node || asked.cpus_per_task || asked.minimum_cpus;
}

bool changes_place(const JobAsked& asked) {
  return asked.account || asked.qos || asked.partition || asked.tasks || asked.tres_per_node ||
         asked.constraints || asked.excluded_nodes;
}

bool changes_size(const JobAsked& asked) {
  return asked.minimum_nodes || asked.maximum_nodes || asked.nodes || asked.required_nodes;
}

}  // namespace

net::http::Response SlurmCluster::update_job(const SlurmCall& call) {
  const auto id = read_job_id(call.path[1]);
  SlurmComplaints complaints;
  const auto done = [&](int number) {
    if (number != 0) {
      complaints.errors.push_back({"Job update requested failed", number, "slurm_update_job2()"});
    }
    const int status = complaints.errors.empty() ? 200 : status_of(complaints.errors[0].number);
    return answer(call, status, R"("results":null,)", complaints);
  };
  if (!id) {
    complaints.errors.push_back(
        {"Rejecting request. Failure parsing parameters", 9000, "op_handler_job"});
    return answer(call, 422, "", complaints);
  }
  JobAsked asked;
  if (!call.body.empty()) {
    const auto root = parser_.parse(call.body);
    if (!root.ok()) return {400, {{"Connection", "Close"}}, "Failure during parsing"};
    asked = read_job_asked(*root, "#/");
  }
  complaints = asked.complaints;
  if (!asked.readable) return done(0);
  const auto found = jobs_.find(*id);
  if (found == jobs_.end()) return done(2017);
  if (!found->second.live()) return done(2084);
  return done(apply_update(asked, call, found->second));
}

int SlurmCluster::apply_update(const JobAsked& asked, const SlurmCall& call, SlurmJob& job) {
  if (!call.admin()) {
    if (call.user != job.user) return 2010;
    if (asked.admin_comment) return 2002;
    const bool more_time =
        asked.time_limit &&
        (asked.time_limit->infinite ||
         (job.limit_minutes && asked.time_limit->number > std::int64_t{*job.limit_minutes}));
    if (more_time) return 2002;
  }
  if (job.on_nodes() && changes_place(asked)) return 2073;
  if (job.on_nodes() && (changes_allocation(asked) || changes_size(asked))) return 2036;
  if (const auto refusal = check_names(asked)) return refusal->number;

  SlurmJob changed = job;
  if (asked.partition) changed.limit_minutes = job.limit_minutes;
  set_text_fields(asked, changed);
  if (job.pending()) set_size(asked, changed);
  if (changed.max_nodes > 0 && changed.max_nodes < changed.node_count) return 2006;

  unqueue(job);
  if (const auto deadline = deadline_of(job)) deadlines_.erase({*deadline, job.id});
  job = std::move(changed);
  job.enough_nodes_as_of = 0;
  if (const auto deadline = deadline_of(job)) deadlines_.emplace(*deadline, job.id);
  if (job.on_nodes() && asked.time_limit) {
    job.end_time = job.start_time + 60 * job.limit_minutes.value_or(365 * 24 * 60);
  }
  const bool hold = asked.hold == true || (asked.priority && asked.priority->number == 0);
  const bool release = job.held && (asked.hold == false || (asked.priority && !hold));
  if (hold || release) {
    const std::int64_t priority = job.priority;
    set_held(job, hold, call.admin());
    if (asked.priority && !hold) job.priority = priority;
  } else if (job.pending() && !job.held) {
    job.reason = "None";
    job.description.clear();
  }
  queue(job);
  notify_change("updated", job);
  return 0;
}

}  // namespace models::slurm
