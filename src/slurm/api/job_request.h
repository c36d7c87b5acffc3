// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slurm/api/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slurm::inline api {

// A request for an external (placeholder) job. Empty strings and absent numbers leave the choice to
// Slurm.
struct JobRequest {
  std::string admin_comment;  // the job's identity; only SlurmUser may set it
  std::string comment;
  std::string name;
  std::string partition;  // empty: Slurm's default partition
  std::string account;
  std::string qos;
  std::string constraints;
  std::string licenses;
  std::string reservation;
  std::string wckey;
  std::string mcs_label;
  std::string tres_per_node;  // "gres/gpu:a100:2"
  std::string user_id;        // name or number of the user who will own the job
  std::string group_id;

  std::uint32_t nodes = 1;
  std::optional<std::uint32_t> minimum_nodes;
  std::optional<std::uint32_t> maximum_nodes;
  std::optional<std::uint32_t> tasks;
  std::optional<std::uint32_t> tasks_per_node;
  std::optional<std::uint32_t> cpus_per_task;
  std::optional<std::uint64_t> memory_per_node_mib;  // absent: all memory of each node
  std::optional<std::uint32_t> time_limit_minutes;
  std::optional<std::uint32_t> priority;
  bool exclusive = false;  // whole nodes

  // With more names than minimum_nodes, Slurm chooses among them; with as many, it uses exactly
  // these.
  std::vector<SlurmNodeName> required_nodes;
  // One name that Slurm does not know makes it refuse the whole job.
  std::vector<SlurmNodeName> excluded_nodes;
};

// The body of POST /job/submit, with the members and formats of the reference. Equal requests give
// equal bytes.
std::string submit_body(const JobRequest& request);

}  // namespace slurm::inline api
