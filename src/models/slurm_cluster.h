// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "net/http.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace models {

struct SlurmNode {
  std::string name;
  std::uint32_t cpus = 8;
  std::uint64_t memory_mb = 16384;
  std::map<std::string, std::uint32_t> gres;  // "gpu:a100" -> 4
  bool external = true;
  bool dynamic = false;  // keeps its DRAIN over a restart
  bool drained = false;
  bool down = false;
  std::string reason;
};

struct SlurmPartition {
  std::string name;
  std::vector<std::string> nodes;  // empty: all
  std::optional<std::uint32_t> max_minutes;
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
  std::uint32_t cpus = 1;  // per node
  std::uint64_t memory_mb = 0;
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

  bool live() const { return state == "PENDING" || state == "RUNNING" || state == "SUSPENDED"; }
};

struct SlurmOptions {
  std::vector<SlurmNode> nodes;
  std::vector<SlurmPartition> partitions{{"slurm-bridge", {}, {}}};
  std::set<std::string> accounts{"physics", "biology"};
  std::set<std::string> qos{"normal", "low", "urgent"};
  std::vector<std::string> api_versions{"v0.0.43", "v0.0.44", "v0.0.45"};
  std::uint32_t first_job_id = 1;
  base::Duration min_job_age = std::chrono::minutes(5);
  base::Duration scheduling_interval = std::chrono::milliseconds(250);
  base::Duration limit_interval = std::chrono::seconds(30);  // how often time limits are looked at
  std::size_t max_jobs = 200000;
};

// What happened to a job, as it is told to whoever audits.
struct JobChange {
  std::string_view what;  // "submitted", "started", "ended", "updated", "purged", "lost"
  const SlurmJob* job = nullptr;
};

// slurmctld with its slurmrestd, as far as anybody can tell from outside: external jobs on external
// nodes.
//
// Expects     one thread; a clock that outlives it; tick() called when next_tick() has come.
// Guarantees  each request has its whole effect within handle(), or none; answers have the shape,
//             status and error_number of Slurm 26.05 (tests/fixtures/slurm), traps included; ids
//             grow by one, except after restart(State::lost_since).
// Does not    check tokens beyond their presence, wait, or inject faults: those are the network's,
//             in tests/sim.
class SlurmCluster {
 public:
  SlurmCluster(const base::Clock& clock, SlurmOptions options);

  net::http::Response handle(const net::http::Request& request);

  // Starts what may start, ends what is over its limit, purges what is old enough.
  void tick();
  // When the next tick() could change anything; kNever if nothing is pending.
  base::Instant next_tick() const;

  // The hands of users and administrators, without REST.
  std::uint32_t submit(SlurmJob job);  // anybody's job, such as one that is not ours
  bool end(std::uint32_t id, std::string state, std::string reason);  // "CANCELLED", "PREEMPTED", ...
  void suspend(std::uint32_t id);
  void resume_job(std::uint32_t id);
  void hold(std::uint32_t id, bool held);
  void drain(const std::string& node, std::string reason);
  void undrain(const std::string& node);
  void fail_node(const std::string& node, std::string reason);  // DOWN: its jobs end NODE_FAIL
  void resume_node(const std::string& node);

  // slurmctld stops and starts again. Static external nodes forget their DRAIN, as the real one's.
  void restart();
  // As after kill -9: jobs submitted after that instant never were, their ids are given again, and
  // what started after it waits again.
  void restart_losing(base::Instant everything_after);
  // Started with an empty state directory: no job is known, ids begin anew.
  void restart_empty();

  const std::map<std::uint32_t, SlurmJob>& jobs() const { return jobs_; }
  const SlurmJob* find(std::uint32_t id) const;
  const std::map<std::string, SlurmNode>& nodes() const { return nodes_; }

  void on_change(std::function<void(const JobChange&)> call) { on_change_.push_back(std::move(call)); }

 private:
  const base::Clock& clock_;
  SlurmOptions options_;
  std::map<std::uint32_t, SlurmJob> jobs_;
  std::map<std::string, SlurmNode> nodes_;
  std::vector<std::function<void(const JobChange&)>> on_change_;
  // (the implementer adds what is needed)
};

}  // namespace models
