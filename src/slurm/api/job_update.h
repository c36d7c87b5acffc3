// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slurm/api/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slurm::inline api {

// Changes to a job. Absent members are not changed.
struct JobUpdate {
  std::optional<std::string> admin_comment;  // only SlurmUser may set it
  std::optional<std::string> comment;
  std::optional<std::uint32_t> time_limit_minutes;

  // For a pending job only. With fewer nodes a running job would shrink, and slurmctld then
  // contacts its external nodes, where no slurmd runs.
  std::optional<std::string> partition;
  std::optional<std::uint32_t> nodes;
  std::optional<std::uint32_t> tasks;
  std::optional<bool> hold;
  std::optional<std::vector<SlurmNodeName>> excluded_nodes;  // empty: no node is excluded

  friend bool operator==(const JobUpdate&, const JobUpdate&) = default;
};

// The body of POST /job/ID.
std::string job_update_body(const JobUpdate& update);

}  // namespace slurm::inline api
