// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// What the model of slurmctld knows of nodes, partitions and jobs.
namespace models::slurm {

struct SlurmNode {
  std::string name;
  std::uint32_t cpus = 8;
  std::uint64_t memory_mb = 16384;
  std::map<std::string, std::uint32_t> gres;  // "gpu:a100" -> 4
  bool external = true;
  bool dynamic = false;  // keeps its DRAIN over a restart, and its gres have indices
  bool drained = false;
  bool down = false;
  bool not_responding = false;  // slurmctld sent something there and nobody answered
  std::string reason;
  std::string reason_set_by;
  std::int64_t reason_set_at = 0;  // seconds of the calendar
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
  std::set<std::string> users = {};  // who may use it (AllowGroups); empty: everybody
};

// One that begins later than anybody looks.
struct SlurmReservation {
  std::set<std::string> users;
};

struct SlurmQos {
  std::int64_t priority = 2000;    // of its jobs, if they ask for none
  base::Duration grace{};          // how long one of its jobs goes on once it is preempted
  std::set<std::string> preempts;  // the jobs of which QOS make way for its own
};

// What one job holds on one node.
struct SlurmAllocation {
  std::string node;
  std::uint64_t memory_mb = 0;
  std::vector<std::uint32_t> cores;
  std::map<std::string, std::uint32_t> gres;  // by the node's own names: "gpu:a100"
  std::map<std::string, std::vector<std::uint32_t>> gres_index;  // of dynamic nodes
};

struct SlurmJob {
  std::uint32_t id = 0;
  std::string state = "PENDING";  // Slurm's own word for the base state
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
  std::string features;  // what it asked for, in Slurm's own syntax
  std::string mcs_label;
  std::string reservation;
  std::string tres_per_node;
  std::string failed_node;
  std::uint32_t max_nodes = 0;      // 0: as many as node_count
  std::uint32_t tasks = 0;          // 0: as its cpus say
  std::uint32_t cpus_per_task = 1;  // of each of its tasks
  bool exclusive = false;
  bool asked_tasks = false;
  bool asked_account = true;
  bool asked_qos = true;
  // Seconds of the calendar, 0 if not yet. For a job that waits, start_time is what is expected.
  std::int64_t submit_time = 0;
  std::int64_t start_time = 0;
  std::int64_t end_time = 0;
  std::int64_t preempt_time = 0;
  std::optional<base::Instant> preempted_at;  // with a grace time
  std::optional<base::Instant> grace_ends;    // it was preempted and goes on for that long
  base::Instant suspended_at{};
  base::Duration suspended_for{};
  std::vector<SlurmAllocation> allocation;  // while and after it ran
  // The scheduler's own: with which states of the nodes it was found that there are enough.
  std::uint64_t enough_nodes_as_of = 0;

  bool live() const { return state == "PENDING" || state == "RUNNING" || state == "SUSPENDED"; }
  bool pending() const { return state == "PENDING"; }
  bool on_nodes() const { return state == "RUNNING" || state == "SUSPENDED"; }
};

// What a state directory says of jobs.
struct SlurmState {
  std::map<std::uint32_t, SlurmJob> jobs;
  std::uint32_t next_id = 1;
};

}  // namespace models::slurm
