// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "net/http_wire/http.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opsim {

// A job that occupies one node.
struct SimJob {
  std::uint32_t id = 0;
  std::string node;
  std::string pod_uid;  // of the slurmd that started it
  base::WallTime started;
  base::WallTime ends;
};

// A dynamic node. `pod_uid` is the pod of the slurmd that registered last.
struct SimNode {
  bool down = false;
  bool drain = false;
  bool responding = true;
  std::string reason = {};
  std::string reason_by = {};
  std::int64_t reason_at = 0;
  std::int64_t slurmd_start = 0;
  std::string pod_uid = {};
};

// slurmctld and slurmrestd, as the operator sees them, with ReturnToService=1.
//
// Guarantees  a node that registers from another pod while slurmctld remembers jobs of the old pod
//             goes DOWN ("Node unexpectedly rebooted") and loses them, or keeps them as ghosts, as
//             the caller chooses; both were seen with a real Slurm. DOWN ends all jobs of a node.
// Does not    lose requests or answers: the transport of the simulation does.
class SlurmModel {
 public:
  explicit SlurmModel(const base::Clock& clock) : clock_(clock) {}

  net::http::Response handle(const net::http::Request& request);

  enum class OldJobs { end, stay_as_ghosts };
  void registers(const std::string& node, const std::string& pod_uid, OldJobs old_jobs);
  void stops_responding(const std::string& node);
  // Whether slurmctld would start a job there.
  bool accepts_jobs(const std::string& node) const;
  void start_job(const std::string& node, base::Duration length);
  // Ends the jobs whose time has come; jobs whose slurmd is gone never end by themselves.
  void end_jobs();
  // As an administrator with scontrol.
  void drain(const std::string& node, std::string reason);
  void resume(const std::string& node);

  const std::map<std::string, SimNode>& nodes() const { return nodes_; }
  const std::vector<SimJob>& jobs() const { return jobs_; }
  bool is_busy(const std::string& node) const;
  // Called before the operator's request changes a node.
  std::function<void(const std::string& node, const SimNode& before, std::string_view state)>
      on_change;
  std::function<void(const SimJob&)> on_killed;  // DOWN ended a job whose slurmd lives

 private:
  net::http::Response change(const std::string& name, const std::string& body);
  net::http::Response remove(const std::string& name);
  json::Value nodes_json() const;
  void report_killed(const std::string& node) const;
  void end_jobs_of(const std::string& node);
  std::int64_t now() const;

  const base::Clock& clock_;
  std::map<std::string, SimNode> nodes_;
  std::vector<SimJob> jobs_;
  std::uint32_t last_job_ = 0;
};

}  // namespace opsim
