// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/node.h"
#include "models/slurm/text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace models::slurm {

// A number that may be infinite.
struct AskedNumber {
  bool infinite = false;
  std::int64_t number = 0;
};

// A job description of a submit or update; members that it does not contain are empty.
struct JobAsked {
  std::optional<std::string> account, admin_comment, array, comment, constraints, dependency, extra,
      group_id, licenses, mcs_label, name, nodes, partition, qos, reservation, script,
      tres_per_node, user_id;
  std::optional<std::uint32_t> cpus_per_task, maximum_nodes, minimum_cpus, minimum_nodes, tasks,
      tasks_per_node;
  std::optional<AskedNumber> memory_per_node, priority, time_limit;
  std::optional<std::vector<std::string>> excluded_nodes, required_nodes;  // names, expanded
  std::optional<bool> hold;
  bool external = false;
  bool exclusive = false;

  SlurmComplaints complaints;
  bool readable = true;  // false: slurmrestd sends nothing to slurmctld
};

// Parses as slurmrestd does: unknown members and wrong types are warnings, some wrong types are
// converted, a string that is not a number makes the whole description unreadable. `path` is the
// place of the object, "#/job/" or "#/".
JobAsked read_job_asked(const json::Node& object, std::string_view path);

// Warns about an unknown member with slurmrestd's text; for an object, about its members.
void warn_unknown(std::vector<SlurmWarning>& warnings,
                  std::string_view parser,
                  const std::string& source,
                  const std::pair<std::string_view, json::Node>& member);

}  // namespace models::slurm
