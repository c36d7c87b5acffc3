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

// Slurm's jobs and nodes, with the members that the bridge and the operator use.
namespace slurm::inline api {

enum class JobState {
  pending,
  running,  // has its nodes; includes CONFIGURING
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
  unknown,  // a state that the bridge does not know: neither live nor over
};

// Slurm's name of the state, such as "NODE_FAIL".
std::string_view name(JobState state);

// True if the job holds nodes or may still get some.
bool is_live(JobState state);
// True if the job has ended for good.
bool is_over(JobState state);

// The state for Slurm's list of one base state and flags, such as RUNNING, CONFIGURING. Flags are
// ignored.
JobState job_state(std::span<const std::string> states);

// One line of /jobs/state/.
struct JobStatus {
  JobId id;
  JobState state = JobState::unknown;
  bool completing = false;
  // A task of a job array. Several pending tasks share one id. External jobs are never arrays.
  bool array_task = false;

  friend bool operator==(const JobStatus&, const JobStatus&) = default;
};

// How a job ended, in Slurm's terms ("SUCCESS", "ERROR", "SIGNALED", ...).
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
  // False: the two lists above are empty although the job may have them.
  bool node_lists_readable = true;
  std::string admin_comment;
  std::string comment;
  std::string state_reason;  // why it is pending or how it ended: "Priority", "NodeDown", ...
  std::string state_description;
  std::string failed_node;  // the node whose failure ended the job
  std::optional<std::uint32_t> priority;
  std::optional<base::WallTime> submit_time;
  std::optional<base::WallTime> start_time;    // pending: the start that Slurm expects
  std::optional<base::WallTime> end_time;      // live: when its time limit ends it
  std::optional<base::WallTime> preempt_time;  // set: the preemption grace time is running
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
  std::string topology;  // the place in Slurm's dynamic topology: "topo-switch:s2"

  // Unix times in seconds, by the clock of slurmctld's or slurmd's host; 0: unknown.
  // Of the slurmd that registered last; a reconfigure starts slurmd again.
  std::int64_t slurmd_start_time = 0;
  // That slurmd reported: with `slurmd -b` its first start, which a reconfigure does not change. 0
  // for less than a second after UNDRAIN and RESUME.
  std::int64_t boot_time = 0;
  std::int64_t reason_changed_at = 0;  // when `reason` was set

  // Two nodes that differ only in the times are equal: a change of the times is not reported as a
  // change of the node (NodeMirror::on_change).
  friend bool operator==(const Node& a, const Node& b);

  bool has_state(std::string_view state) const;
  // Not shown by v0.0.43 of the API.
  bool external() const { return has_state("EXTERNAL"); }
  // Created while slurmctld ran, not in slurm.conf: keeps its state when slurmctld restarts.
  bool dynamic() const { return has_state("DYNAMIC_NORM"); }
  // Slurm starts no new jobs on the node. False while a drain is being removed.
  bool draining() const { return has_state("DRAIN") && !has_state("UNDRAIN"); }
  bool down() const { return has_state("DOWN"); }
  // Jobs run on the node or are completing.
  bool busy() const {
    return has_state("ALLOCATED") || has_state("MIXED") || has_state("COMPLETING");
  }
  // An external node that slurmctld once failed to reach keeps this state until it is created
  // again.
  bool not_responding() const { return has_state("NOT_RESPONDING"); }
};

// All nodes at one moment. `last_update` is Slurm's time stamp, for Client::nodes_since().
struct NodeList {
  std::vector<Node> nodes;
  std::int64_t last_update = 0;
};

struct Partition {
  std::string name;
  bool up = false;  // accepts jobs and starts them
  bool is_default = false;
  std::vector<SlurmNodeName> nodes;  // as configured
};

// One slurmctld, as reported by slurmrestd.
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
