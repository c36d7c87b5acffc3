// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slurm/api/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slurm::inline api {

// What to change in a job; what is absent stays as it is.
struct JobUpdate {
  std::optional<std::string> admin_comment;  // only SlurmUser may
  std::optional<std::string> comment;
  std::optional<std::uint32_t> time_limit_minutes;

  // Of a waiting job only. Fewer nodes than a running job has would shrink it, and then slurmctld
  // calls its external nodes, where nobody answers.
  std::optional<std::string> partition;
  std::optional<std::uint32_t> nodes;
  std::optional<std::uint32_t> tasks;
  std::optional<bool> hold;
  std::optional<std::vector<SlurmNodeName>> excluded_nodes;  // empty: none any more

  friend bool operator==(const JobUpdate&, const JobUpdate&) = default;
};

// The body of POST /job/ID.
std::string job_update_body(const JobUpdate& update);

}  // namespace slurm::inline api
