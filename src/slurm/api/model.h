// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "slurm/api/ids.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What Slurm says about its jobs and nodes, as far as we use it.
namespace slurm::inline api {

enum class JobState {
  pending,
  running,  // has its nodes, also while CONFIGURING
  suspended,
  completed,
  cancelled,
  failed,
  timeout,
  node_fail,
  preempted,
  boot_fail,
  deadline,
  out_of_memory,
  unknown,  // Slurm said something that we do not understand: neither live nor over
};

// Slurm's own word, such as "NODE_FAIL".
std::string_view name(JobState state);

// It may hold or still get nodes.
bool is_live(JobState state);
// It has ended and will not come back.
bool is_over(JobState state);

// From Slurm's list of one base state and any flags, such as RUNNING, CONFIGURING. The base state
// decides.
JobState job_state(std::span<const std::string> words);

// One line of /jobs/state/.
struct JobStatus {
  JobId id;
  JobState state = JobState::unknown;
  bool completing = false;
  // A task of a job array. Several waiting ones share one id. External jobs are never arrays.
  bool array_task = false;

  friend bool operator==(const JobStatus&, const JobStatus&) = default;
};

// How a job ended, in Slurm's words ("SUCCESS", "ERROR", "SIGNALED", ...).
struct ExitCode {
  std::vector<std::string> status;
  std::uint32_t return_code = 0;
  std::string signal;
};

struct Job {
  JobId id;
  JobState state = JobState::unknown;
  bool completing = false;
  bool configuring = false;
  bool external = false;
  std::string name;
  std::string partition;
  std::string account;
  std::string qos;
  std::string user;
  std::vector<SlurmNodeName> nodes;
  std::vector<SlurmNodeName> required_nodes;
  std::vector<SlurmNodeName> excluded_nodes;
  bool node_lists_readable = true;  // else the two are empty, whatever the job asks for
  std::string admin_comment;
  std::string comment;
  std::string state_reason;  // why it waits or how it ended: "Priority", "NodeDown", ...
  std::string state_description;
  std::string failed_node;  // the node whose failure ended it
  std::optional<std::uint32_t> priority;
  std::optional<base::WallTime> submit_time;
  std::optional<base::WallTime> start_time;    // of a waiting job: when Slurm expects it to start
  std::optional<base::WallTime> end_time;      // of a live job: when its time limit ends it
  std::optional<base::WallTime> preempt_time;  // set: its grace time is running
  ExitCode exit_code;
  ExitCode derived_exit_code;
};

struct Node {
  SlurmNodeName name;
  std::vector<std::string> states;  // base state and flags: "MIXED", "EXTERNAL", "DRAIN", ...
  std::string reason;
  std::string reason_set_by;
  std::uint32_t cpus = 0;
  std::uint64_t real_memory_mib = 0;
  std::vector<std::string> partitions;
  std::vector<std::string> features;
  std::string gres;
  std::string comment;
  std::string extra;
  std::string topology;  // where it is in Slurm's dynamic topology: "topo-switch:s2"

  friend bool operator==(const Node&, const Node&) = default;

  bool has_state(std::string_view state) const;
  // v0.0.43 of the API does not show it.
  bool external() const { return has_state("EXTERNAL"); }
  // Made while slurmctld ran, not written into slurm.conf: keeps its state over a restart.
  bool dynamic() const { return has_state("DYNAMIC_NORM"); }
  // Slurm starts nothing new there.
  // A drain that is being taken back is none any more.
  bool draining() const { return has_state("DRAIN") && !has_state("UNDRAIN"); }
  bool down() const { return has_state("DOWN"); }
  // Jobs are there, or have not quite left.
  bool busy() const {
    return has_state("ALLOCATED") || has_state("MIXED") || has_state("COMPLETING");
  }
  // An external node that slurmctld once failed to reach stays so until it is made anew.
  bool not_responding() const { return has_state("NOT_RESPONDING"); }
};

// All nodes at one moment. `last_update` is Slurm's own time stamp, good for asking what changed.
struct NodeList {
  std::vector<Node> nodes;
  std::int64_t last_update = 0;
};

struct Partition {
  std::string name;
  bool up = false;  // takes jobs and starts them
  bool is_default = false;
  std::vector<SlurmNodeName> nodes;  // as configured
};

// One slurmctld, as slurmrestd sees it.
struct Controller {
  std::string hostname;
  bool responding = false;
  bool primary = false;
};

struct Ping {
  std::vector<Controller> controllers;
  std::string release;  // "26.05.5"
  std::string cluster;

  bool responding() const;
};

}  // namespace slurm::inline api
