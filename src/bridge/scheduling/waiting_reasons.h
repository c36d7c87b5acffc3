// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/role_context.h"
#include "bridge/scheduling/request_shape.h"
#include "bridge/state/cluster_state.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace bridge::scheduling {

// Reads from Slurm why jobs are pending, one job at a time: new jobs first, then all pending jobs
// in turn. Jobs of one request shape share the first reason that is read, so that a job gets a
// reason soon although thousands of jobs are pending.
//
// Expects     run() as a task of a group that ends before this object.
// Guarantees  at most four reads per second, however many jobs are pending, and none without
//             pending jobs; a text from the job's own read changes only if the reason changes or
//             the expected start moves by ten minutes or more; a text from another job names that
//             job.
class WaitingReasons {
 public:
  WaitingReasons(runtime::RoleContext context, state::ClusterState& cluster);

  net::Task<void> run();

  // The reason of a pending job as text; empty until a reason is known. The first call registers
  // the job.
  const std::string& of(slurm::JobId job, RequestShape shape);
  // `call` runs when the text of a job has changed.
  void on_news(std::function<void(slurm::JobId)> call) { on_news_ = std::move(call); }
  // `call` runs with every pending job that was read; the next read waits for its end.
  void on_look(std::function<net::Task<void>(slurm::Job)> call) { on_look_ = std::move(call); }

 private:
  struct Entry {
    base::Instant due;
    RequestShape shape;
    std::string reason;
    std::optional<base::WallTime> start;
    std::string text;
    bool shared = false;  // the text comes from another job
  };
  // The last shared reason of a request shape, and the job that it was read from.
  struct ShapeEntry {
    std::set<slurm::JobId> jobs;
    slurm::JobId read_from;
    base::Instant read_at;
    std::string reason;  // empty: no reason yet that applies to all jobs of the shape
  };

  using Turns = std::set<std::pair<base::Instant, slurm::JobId>>;

  std::optional<slurm::JobId> next();
  std::optional<slurm::JobId> next_of(const Turns& turns);
  net::Task<void> look(slurm::JobId job);
  void take_turn(slurm::JobId job, Entry& entry, base::Instant due);
  void leave_turns(slurm::JobId job, const Entry& entry);
  // Copies the reason of the request shape to a job without a reason of its own. Returns whether
  // the text of the job changed.
  bool share(slurm::JobId job, Entry& entry, const ShapeEntry& shape);
  void drop(slurm::JobId job);

  runtime::RoleContext context_;
  state::ClusterState& cluster_;
  std::map<slurm::JobId, Entry> entries_;
  std::map<RequestShape, ShapeEntry> shapes_;
  // Jobs without a text are read first. Among them, jobs that this process submitted precede
  // inherited jobs: after a restart there may be thousands of inherited jobs, and their pods still
  // show the explanation of the previous process.
  Turns first_;
  Turns inherited_unexplained_;
  Turns again_;
  std::function<void(slurm::JobId)> on_news_;
  std::function<net::Task<void>(slurm::Job)> on_look_;
};

// The reason and the expected start of a pending job: "Priority (jobs with a higher priority come
// first); expected to start about 2026-11-16T14:05Z, as of 2026-11-16T13:58Z".
std::string waiting_text(const slurm::Job& job, base::WallTime now);
// The reason that was read from another job: "Priority (jobs with a higher priority come first), as
// reported for job 12 with the same request".
std::string shared_waiting_text(std::string_view reason, slurm::JobId read_from);

}  // namespace bridge::scheduling
