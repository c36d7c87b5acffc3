// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// Nodes, partitions and jobs of the model of slurmctld.
namespace models::slurm {

struct SlurmNode {
  std::string name;
  std::uint32_t cpus = 8;
  std::uint64_t memory_mb = 16384;
  std::map<std::string, std::uint32_t> gres;  // "gpu:a100" -> 4
  bool external = true;
  bool dynamic = false;  // keeps its DRAIN at a restart, and its gres have indices
  bool drained = false;
  bool down = false;
  bool not_responding = false;  // slurmctld sent a message to it and got no answer
  std::string reason;
  std::string reason_set_by;
  std::int64_t reason_set_at = 0;  // Unix time in seconds
  std::uint32_t sockets = 1;       // divides cpus
  std::set<std::string> features;
  std::string comment;
  std::string extra;

  bool takes_jobs() const { return !drained && !down && !not_responding; }
};

struct SlurmPartition {
  std::string name;
  std::vector<std::string> nodes;  // empty: all
  std::optional<std::uint32_t> max_minutes;
  std::set<std::string> users = {};  // who may use it (AllowGroups); empty: all users
};

// A reservation that begins after the end of every test.
struct SlurmReservation {
  std::set<std::string> users;
};

struct SlurmQos {
  std::int64_t priority = 2000;    // of its jobs, if they request none
  base::Duration grace{};          // how long one of its jobs continues after a preemption
  std::set<std::string> preempts;  // the QOS whose jobs its jobs preempt
};

// The resources of one job on one node.
struct SlurmAllocation {
  std::string node;
  std::uint64_t memory_mb = 0;
  std::vector<std::uint32_t> cores;
  std::map<std::string, std::uint32_t> gres;                     // by the node's names: "gpu:a100"
  std::map<std::string, std::vector<std::uint32_t>> gres_index;  // of dynamic nodes
};

struct SlurmJob {
  std::uint32_t id = 0;
  std::string state = "PENDING";  // Slurm's name of the base state
  std::string reason = "None";
  std::string name;
  std::string partition;
  std::string account;
  std::string qos;
  std::string user;
  std::string admin_comment;
  bool external = false;
  bool held = false;
  std::uint32_t cpus = 1;                     // per node
  std::uint64_t memory_mb = 0;                // per node; 0: all of it
  std::map<std::string, std::uint32_t> gres;  // per node
  std::uint32_t node_count = 1;
  std::set<std::string> excluded;
  std::set<std::string> required;
  std::optional<std::uint32_t> limit_minutes;
  std::int64_t priority = 0;
  std::vector<std::string> nodes;  // while and after it ran
  base::Instant submitted_at{};
  base::Instant started_at{};
  base::Instant ended_at{};

  std::string group;        // empty: as the user
  std::string description;  // Slurm's state_description
  std::string comment;
  std::string extra;
  std::string features;  // the requested features, in Slurm's syntax
  std::string mcs_label;
  std::string reservation;
  std::string tres_per_node;
  std::string failed_node;
  std::uint32_t max_nodes = 0;      // 0: as many as node_count
  std::uint32_t tasks = 0;          // 0: derived from its cpus
  std::uint32_t cpus_per_task = 1;  // of each task
  bool exclusive = false;
  bool asked_tasks = false;
  bool asked_account = true;
  bool asked_qos = true;
  // Unix time in seconds, 0 if not yet. For a pending job, start_time is the expected start.
  std::int64_t submit_time = 0;
  std::int64_t start_time = 0;
  std::int64_t end_time = 0;
  std::int64_t preempt_time = 0;
  std::optional<base::Instant> preempted_at;  // with a grace time
  std::optional<base::Instant> grace_ends;    // it was preempted and continues until then
  base::Instant suspended_at{};
  base::Duration suspended_for{};
  std::vector<SlurmAllocation> allocation;  // while and after it ran
  // For the scheduler: the node states for which enough nodes were found.
  std::uint64_t enough_nodes_as_of = 0;

  bool live() const { return state == "PENDING" || state == "RUNNING" || state == "SUSPENDED"; }
  bool pending() const { return state == "PENDING"; }
  bool on_nodes() const { return state == "RUNNING" || state == "SUSPENDED"; }
};

// The jobs in a state directory.
struct SlurmState {
  std::map<std::uint32_t, SlurmJob> jobs;
  std::uint32_t next_id = 1;
};

}  // namespace models::slurm
