// SPDX-License-Identifier: Apache-2.0
#include "base/integer.h"
#include "models/slurm/call.h"
#include "models/slurm/cluster.h"
#include "models/slurm/error.h"
#include "models/slurm/gres.h"
#include "models/slurm/job_asked.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace models::slurm {
namespace {

constexpr std::string_view kSubmitted = "slurm_submit_batch_job()";

SlurmError submit_error(int number) {
  return {"Batch job submission failed", number, std::string(kSubmitted)};
}

// "3" or "2-4", as in --nodes.
std::pair<std::uint32_t, std::uint32_t> node_range(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto least = base::parse_integer<std::uint32_t>(text.substr(0, dash));
  const auto most =
      base::parse_integer<std::uint32_t>(text.substr(std::min(dash + 1, text.size())));
  if (!least.ok()) return {0, 0};
  return {*least, most.ok() ? *most : *least};
}

bool depends_on_unknown(std::string_view dependency,
                        const std::map<std::uint32_t, SlurmJob>& jobs) {
  const std::size_t colon = dependency.find(':');
  if (colon == std::string_view::npos) return dependency != "singleton";
  const auto id = base::parse_integer<std::uint32_t>(dependency.substr(colon + 1));
  return !id.ok() || !jobs.contains(*id);
}

void warn_twice(std::vector<SlurmWarning>& warnings, std::string_view text) {
  warnings.push_back({fmt::format("Job submission resulted in non-zero return code: {}", text),
                      std::string(kSubmitted)});
  warnings.push_back({std::string(text), std::string(kSubmitted)});
}

constexpr std::string_view kHeld = "Job is in held state, pending scheduler release";

}  // namespace

net::http::Response SlurmCluster::submit_job(const SlurmCall& call) {
  JobAsked asked;
  if (!call.body.empty()) {
    const auto root = parser_.parse(call.body);
    if (!root.ok()) return {400, {{"Connection", "Close"}}, "Failure during parsing"};
    if (root->type() != json::Type::object) {
      SlurmComplaints complaints;
      complaints.errors.push_back({"Rejecting list when dictionary expected", 9209, "#/"});
      return answer(call, 500, "", complaints);
    }
    if (const auto job = root->find("job")) asked = read_job_asked(*job, "#/job/");
    if (const auto script = root->find("script")) asked.script = script->as_string().value_or("");
  }
  SlurmComplaints& complaints = asked.complaints;
  const auto refuse = [&](SlurmError error) {
    const int status = status_of(error.number);
    complaints.errors.push_back(std::move(error));
    return answer(call, status, "", complaints);
  };
  if (!asked.readable) {
    const int status = complaints.errors.empty() ? 200 : status_of(complaints.errors[0].number);
    return answer(call, status, "", complaints);
  }
  if (asked.user_id && !options_.users.empty() && !options_.users.contains(*asked.user_id)) {
    return refuse(
        {fmt::format("Unable to resolve user: {}", *asked.user_id), 2166, "#/job/user_id/"});
  }
  if (asked.group_id && !options_.groups.empty() && !options_.groups.contains(*asked.group_id)) {
    return refuse(
        {fmt::format("Unable to resolve group: {}", *asked.group_id), 2164, "#/job/group_id/"});
  }
  if (!asked.external && asked.script.value_or("").empty()) {
    return refuse({"Populated \"script\" field is required for job submission", 9000, "_job_post"});
  }
  if (const auto refusal = check(asked, call)) {
    if (refusal->uses_id) ++next_id_;
    return refuse(submit_error(refusal->number));
  }

  SlurmJob job;
  job.external = asked.external;
  job.user = asked.user_id.value_or(call.user);
  job.group = asked.group_id.value_or(call.user);
  job.partition = options_.partitions.front().name;
  job.account = options_.accounts.contains(options_.default_account) ? options_.default_account
                                                                     : *options_.accounts.begin();
  job.qos = options_.qos.contains("normal") ? "normal" : options_.qos.begin()->first;
  job.asked_account = asked.account.has_value();
  job.asked_qos = asked.qos.has_value();
  set_text_fields(asked, job);
  set_size(asked, job);
  if (asked.hold == true || (asked.priority && asked.priority->number == 0)) job.held = true;
  std::vector<int> warnings;
  if (const auto refusal = check_size(job, warnings)) {
    if (refusal->leaves_record) {
      finish(add(std::move(job)), "FAILED", "BadConstraints");
    } else if (refusal->uses_id) {
      ++next_id_;
    }
    return refuse(submit_error(refusal->number));
  }
  const SlurmJob& added = add(std::move(job));
  if (added.held) {
    warn_twice(complaints.warnings, kHeld);
  } else if (!warnings.empty()) {
    warn_twice(complaints.warnings, words_of(warnings.front()));
  }
  const int status = complaints.errors.empty() ? 200 : status_of(complaints.errors[0].number);
  return answer(call,
                status,
                fmt::format(R"("job_id":{},"step_id":"batch","job_submit_user_msg":"",)", added.id),
                complaints);
}

std::optional<SlurmRefusal> SlurmCluster::check(const JobAsked& asked,
                                                const SlurmCall& call) const {
  const auto refused = [](int number, bool uses_id = false) {
    return SlurmRefusal{number, uses_id};
  };
  if (asked.user_id && *asked.user_id != call.user && !call.admin()) return refused(2010);
  if (jobs_.size() >= options_.max_jobs) return refused(2007);
  if (asked.array && asked.external) return refused(2081);
  if (asked.external && !asked.script.value_or("").empty()) return refused(2189);
  if (asked.admin_comment && !call.admin()) return refused(2002);
  if (const auto refusal = check_names(asked)) return refusal;
  if (!asked.licenses.value_or("").empty()) return refused(2048);
  if (!asked.dependency.value_or("").empty() && depends_on_unknown(*asked.dependency, jobs_)) {
    return refused(2038, true);
  }
  return check_reservation(asked, call);
}

std::optional<SlurmRefusal> SlurmCluster::check_reservation(const JobAsked& asked,
                                                            const SlurmCall& call) const {
  const std::string name = asked.reservation.value_or("");
  if (name.empty()) return std::nullopt;
  const auto found = options_.reservations.find(name);
  if (found == options_.reservations.end()) return SlurmRefusal{2053, true};
  const std::string user = asked.user_id.value_or(call.user);
  if (!found->second.users.contains(user)) return SlurmRefusal{2052, true};
  return std::nullopt;
}

// With EnforcePartLimits=ALL.
std::optional<SlurmRefusal> SlurmCluster::check_limits_of(const SlurmJob& job) const {
  const SlurmPartition* where = partition(job.partition);
  if (!options_.enforce_limits || where == nullptr) return std::nullopt;
  if (!where->users.empty() && !where->users.contains(job.user)) return SlurmRefusal{2003};
  if (job.node_count > hosts_of(job.partition).size()) return SlurmRefusal{2006};
  if (where->max_minutes && job.limit_minutes > where->max_minutes) return SlurmRefusal{2051};
  return std::nullopt;
}

std::optional<SlurmRefusal> SlurmCluster::check_names(const JobAsked& asked) const {
  if (asked.partition && partition(*asked.partition) == nullptr) return SlurmRefusal{2000};
  if (asked.account && !options_.accounts.contains(*asked.account)) return SlurmRefusal{2045};
  if (asked.qos && !options_.qos.contains(*asked.qos)) return SlurmRefusal{2066};
  for (const auto* names : {&asked.excluded_nodes, &asked.required_nodes}) {
    if (!*names) continue;
    for (const std::string& name : **names) {
      if (!nodes_.contains(name)) return SlurmRefusal{2018};
    }
  }
  if (asked.required_nodes && asked.excluded_nodes) {
    for (const std::string& name : *asked.required_nodes) {
      if (std::ranges::count(*asked.excluded_nodes, name) > 0) return SlurmRefusal{2018};
    }
  }
  if (asked.constraints && !features_known(*asked.constraints, nodes_)) return SlurmRefusal{2029};
  if (asked.tres_per_node) {
    const auto gres = read_gres(*asked.tres_per_node);
    if (!gres) return SlurmRefusal{2115};
    if (!gres_names_known(*gres, nodes_)) return SlurmRefusal{2072};
  }
  return std::nullopt;
}

void SlurmCluster::set_text_fields(const JobAsked& asked, SlurmJob& job) const {
  const auto set = [](std::string& into, const std::optional<std::string>& value) {
    if (value) into = *value;
  };
  set(job.name, asked.name);
  set(job.partition, asked.partition);
  set(job.account, asked.account);
  set(job.qos, asked.qos);
  set(job.admin_comment, asked.admin_comment);
  set(job.comment, asked.comment);
  set(job.extra, asked.extra);
  set(job.features, asked.constraints);
  set(job.mcs_label, asked.mcs_label);
  set(job.reservation, asked.reservation);
  set(job.tres_per_node, asked.tres_per_node);
  if (asked.tres_per_node) job.gres = read_gres(*asked.tres_per_node).value_or(job.gres);
  if (asked.excluded_nodes)
    job.excluded = {asked.excluded_nodes->begin(), asked.excluded_nodes->end()};
  if (asked.required_nodes)
    job.required = {asked.required_nodes->begin(), asked.required_nodes->end()};
  if (asked.time_limit) {
    job.limit_minutes.reset();
    if (!asked.time_limit->infinite) {
      job.limit_minutes = static_cast<std::uint32_t>(asked.time_limit->number);
    }
  } else if (!job.limit_minutes) {
    const SlurmPartition* where = partition(job.partition);
    if (where != nullptr) job.limit_minutes = where->max_minutes;
  }
  if (asked.priority && asked.priority->number > 0) {
    job.priority = std::min<std::int64_t>(asked.priority->number, 0xFFFFFFFD);
  }
}

void SlurmCluster::set_size(const JobAsked& asked, SlurmJob& job) const {
  const auto [least, most] = node_range(asked.nodes.value_or(""));
  if (least > 0) {
    job.node_count = least;
    job.max_nodes = most;
  }
  if (asked.minimum_nodes) {
    job.node_count = std::max(*asked.minimum_nodes, 1U);
    if (!asked.maximum_nodes && job.max_nodes < job.node_count) job.max_nodes = 0;
  }
  if (asked.maximum_nodes) job.max_nodes = *asked.maximum_nodes;
  if (asked.tasks) {
    job.tasks = *asked.tasks;
    job.asked_tasks = true;
  }
  if (asked.tasks_per_node && *asked.tasks_per_node > 0) {
    const std::uint32_t each = *asked.tasks_per_node;
    if (!asked.tasks) job.tasks = each * job.node_count;
    job.node_count = std::max(job.node_count, (job.tasks + each - 1) / each);
  }
  const auto required = static_cast<std::uint32_t>(job.required.size());
  if (required > job.node_count) {
    job.node_count = required;
    job.max_nodes = std::max(job.max_nodes, required);
  }
  if (asked.cpus_per_task) job.cpus_per_task = std::max(*asked.cpus_per_task, 1U);
  if (!job.asked_tasks) job.tasks = std::max(job.tasks, job.node_count);
  if (asked.memory_per_node)
    job.memory_mb = static_cast<std::uint64_t>(asked.memory_per_node->number);
  if (asked.exclusive) job.exclusive = true;
  job.cpus = share_of(job, job.node_count).cpus;
  const std::uint32_t wanted =
      (asked.minimum_cpus.value_or(0) + job.node_count - 1) / job.node_count;
  if (wanted > job.cpus) {
    job.cpus = wanted;
    job.tasks = 0;
  }
}

std::optional<SlurmRefusal> SlurmCluster::check_size(const SlurmJob& job,
                                                     std::vector<int>& warnings) const {
  if (job.max_nodes > 0 && job.max_nodes < job.node_count) return SlurmRefusal{2006};
  if (const auto refusal = check_limits_of(job)) return refusal;
  const SlurmHosts hosts = hosts_of(job.partition);
  if (job.node_count > hosts.size()) {
    warnings.push_back(2015);
    return std::nullopt;
  }
  const Prospects prospects = prospects_of(job, hosts);
  if (!prospects.ever()) return SlurmRefusal{2014, true, true};
  if (!prospects.now()) warnings.push_back(2068);
  return std::nullopt;
}

}  // namespace models::slurm
