// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/job_update.h"

#include "slurm/api/wire_values.h"

#include <string_view>

namespace slurm::inline api {
namespace {

template <class T>
void set(json::Object& job, std::string_view key, const std::optional<T>& value) {
  if (value) job.set(key, *value);
}

// Slurm ignores an empty list; a list with one empty name removes the exclusion.
json::Array exclusion(const std::vector<SlurmNodeName>& nodes) {
  return nodes.empty() ? json::Array{""} : names(nodes);
}

}  // namespace

std::string job_update_body(const JobUpdate& update) {
  json::Object job;
  set(job, "admin_comment", update.admin_comment);
  set(job, "comment", update.comment);
  set(job, "partition", update.partition);
  set(job, "tasks", update.tasks);
  set(job, "hold", update.hold);
  set(job, "minimum_nodes", update.nodes);
  set(job, "maximum_nodes", update.nodes);
  if (update.nodes) job.set("nodes", std::to_string(*update.nodes));
  if (update.time_limit_minutes) job.set("time_limit", no_val(update.time_limit_minutes));
  if (update.excluded_nodes) job.set("excluded_nodes", exclusion(*update.excluded_nodes));
  return json::Value(std::move(job)).dump();
}

}  // namespace slurm::inline api
