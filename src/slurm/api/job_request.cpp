// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/job_request.h"

#include "slurm/api/wire_values.h"

#include <string_view>

namespace slurm::inline api {
namespace {

void set_text(json::Object& job, std::string_view key, const std::string& text) {
  if (!text.empty()) job.set(key, text);
}

void set_number(json::Object& job,
                std::string_view key,
                const std::optional<std::uint32_t>& number) {
  if (number) job.set(key, *number);
}

void set_names(json::Object& job, std::string_view key, const std::vector<SlurmNodeName>& nodes) {
  if (!nodes.empty()) job.set(key, names(nodes));
}

}  // namespace

std::string submit_body(const JobRequest& request) {
  json::Object job{
      {"admin_comment", request.admin_comment},
      {"current_working_directory", "/tmp"},
      {"flags", json::Array{"EXTERNAL_JOB"}},
      {"mcs_label", request.mcs_label},
      {"memory_per_node", no_val(request.memory_per_node_mib)},
      {"nodes", std::to_string(request.nodes)},
      {"partition", request.partition},
      {"priority", no_val(request.priority)},
      {"shared", request.exclusive ? json::Array{"none"} : json::Array{}},
      {"time_limit", no_val(request.time_limit_minutes)},
  };
  set_text(job, "account", request.account);
  set_text(job, "comment", request.comment);
  set_text(job, "constraints", request.constraints);
  set_text(job, "group_id", request.group_id);
  set_text(job, "licenses", request.licenses);
  set_text(job, "name", request.name);
  set_text(job, "qos", request.qos);
  set_text(job, "reservation", request.reservation);
  set_text(job, "tres_per_node", request.tres_per_node);
  set_text(job, "user_id", request.user_id);
  set_text(job, "wckey", request.wckey);
  set_number(job, "cpus_per_task", request.cpus_per_task);
  set_number(job, "maximum_nodes", request.maximum_nodes);
  set_number(job, "minimum_nodes", request.minimum_nodes);
  set_number(job, "tasks", request.tasks);
  set_number(job, "tasks_per_node", request.tasks_per_node);
  set_names(job, "excluded_nodes", request.excluded_nodes);
  set_names(job, "required_nodes", request.required_nodes);
  return json::Value(json::Object{{"job", std::move(job)}}).dump();
}

}  // namespace slurm::inline api
