// SPDX-License-Identifier: Apache-2.0
#include "slurm_model.h"

#include "base/integer.h"

#include <fmt/format.h>

#include <algorithm>

namespace opsim {
namespace {

using json::Array;
using json::Object;
using json::Value;
using net::http::Request;
using net::http::Response;

constexpr std::string_view kBase = "/slurm/v0.0.45";
constexpr int kInvalidNode = 2018;
constexpr int kInvalidTransition = 2079;
constexpr int kNodeBusy = 2076;

Response answer(Object body) {
  body.set("errors", Array{});
  body.set("warnings", Array{});
  body.set("meta", Object{{"slurm", Object{{"release", "26.05.5"}, {"cluster", "demo"}}}});
  return Response(200, {}, Value(std::move(body)).dump());
}

Response failure(int code, std::string_view text) {
  return Response(
      500,
      {},
      Value(Object{{"errors", Array{Object{{"error_number", code}, {"error", text}}}}}).dump());
}

Object number(std::int64_t value) {
  return {{"set", true}, {"infinite", false}, {"number", value}};
}

std::int64_t seconds(base::WallTime when) {
  return std::chrono::floor<std::chrono::seconds>(when).time_since_epoch().count();
}

Array states_of(const SimNode& node, bool busy) {
  Array states{Value(node.down ? "DOWN" : busy ? "ALLOCATED" : "IDLE")};
  if (node.drain) states.emplace_back("DRAIN");
  if (!node.responding) states.emplace_back("NOT_RESPONDING");
  states.emplace_back("DYNAMIC_NORM");
  return states;
}

std::string first_state(const Value& body) {
  const Value* state = body.find("state");
  if (state == nullptr || state->as_array() == nullptr || state->as_array()->empty()) return {};
  const std::string* text = state->as_array()->front().as_string();
  return text == nullptr ? std::string() : *text;
}

std::string text_at(const Value& body, std::string_view key) {
  const Value* value = body.find(key);
  return value == nullptr || value->as_string() == nullptr ? std::string() : *value->as_string();
}

Object job_json(const SimJob& job) {
  return {{"job_id", job.id},
          {"job_state", Array{"RUNNING"}},
          {"nodes", job.node},
          {"start_time", number(seconds(job.started))},
          {"end_time", number(seconds(job.ends))},
          {"submit_time", number(seconds(job.started))}};
}

}  // namespace

std::int64_t SlurmModel::now() const {
  return seconds(clock_.wall());
}

bool SlurmModel::is_busy(const std::string& node) const {
  return std::ranges::any_of(jobs_, [&](const SimJob& job) { return job.node == node; });
}

Response SlurmModel::handle(const Request& request) {
  std::string_view path = request.target;
  if (!path.starts_with(kBase)) return failure(0, "no such version");
  path = path.substr(kBase.size(), path.find('?') - kBase.size());
  if (path == "/ping/")
    return answer({{"pings",
                    Array{Object{{"hostname", "controller-0"},
                                 {"pinged", "UP"},
                                 {"responding", true},
                                 {"primary", true},
                                 {"mode", "primary"}}}}});
  if (path == "/nodes/") return answer({{"nodes", nodes_json()}, {"last_update", number(now())}});
  if (path == "/partitions/")
    return answer({{"partitions",
                    Array{Object{{"name", "main"},
                                 {"nodes", Object{{"configured", "ALL"}}},
                                 {"partition", Object{{"state", Array{"UP"}}}},
                                 {"flags", Array{"DEFAULT"}}}}}});
  if (path == "/jobs/state/") {
    Array jobs;
    for (const SimJob& job : jobs_)
      jobs.emplace_back(Object{{"job_id", fmt::format("{}", job.id)}, {"state", Array{"RUNNING"}}});
    return answer({{"jobs", std::move(jobs)}});
  }
  if (path.starts_with("/job/")) {
    const auto id = base::parse_integer<std::uint32_t>(path.substr(5));
    for (const SimJob& job : jobs_) {
      if (id && job.id == *id) return answer({{"jobs", Array{job_json(job)}}});
    }
    return failure(2017, "Invalid job id specified");
  }
  if (!path.starts_with("/node/")) return failure(0, "no such path");
  const std::string name(path.substr(6));
  return request.method == "DELETE" ? remove(name) : change(name, request.body);
}

Value SlurmModel::nodes_json() const {
  Array nodes;
  for (const auto& [name, node] : nodes_) {
    nodes.emplace_back(Object{{"name", name},
                              {"state", states_of(node, is_busy(name))},
                              {"reason", node.reason},
                              {"reason_set_by_user", node.reason_by},
                              {"reason_changed_at", number(node.reason_at)},
                              {"cpus", 2},
                              {"real_memory", 1000},
                              {"partitions", Array{"main"}},
                              {"features", Array{"worker"}},
                              {"slurmd_start_time", number(node.slurmd_start)},
                              {"boot_time", number(node.slurmd_start)}});
  }
  return nodes;
}

Response SlurmModel::change(const std::string& name, const std::string& body) {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return failure(kInvalidNode, "Invalid node name specified");
  SimNode& node = found->second;
  const auto parsed = json::parse(body);
  const std::string state = parsed.ok() ? first_state(*parsed) : std::string();
  if (on_change) on_change(name, node, state);
  if (state == "RESUME" && !node.down && !node.drain)
    return failure(kInvalidTransition, "Invalid node state specified");
  if (state == "DRAIN" || state == "DOWN") {
    (state == "DRAIN" ? node.drain : node.down) = true;
    node.reason = text_at(*parsed, "reason");
    node.reason_by = "slurm";
    node.reason_at = now();
    if (state == "DOWN") report_killed(name);
    if (state == "DOWN") end_jobs_of(name);
  } else {
    node.drain = false;
    if (state == "RESUME") node.down = false;
    if (!node.down) node.reason.clear();
  }
  return answer({});
}

Response SlurmModel::remove(const std::string& name) {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return failure(kInvalidNode, "Invalid node name specified");
  if (is_busy(name)) return failure(kNodeBusy, "the node has jobs");
  if (on_change) on_change(name, found->second, "REMOVE");
  nodes_.erase(found);
  return answer({});
}

void SlurmModel::registers(const std::string& name, const std::string& pod_uid, OldJobs old_jobs) {
  const bool existed = nodes_.contains(name);
  SimNode& node = nodes_[name];
  const bool replaced = existed && node.pod_uid != pod_uid;
  node.pod_uid = pod_uid;
  node.responding = true;
  node.slurmd_start = now();
  if (!replaced || node.down) return;
  if (old_jobs == OldJobs::stay_as_ghosts) return;
  end_jobs_of(name);
  node.down = true;
  if (node.drain) return;  // the reason of the drain stays
  node.reason = "Node unexpectedly rebooted";
  node.reason_by = "slurm";
  node.reason_at = now();
}

void SlurmModel::stops_responding(const std::string& name) {
  const auto found = nodes_.find(name);
  if (found != nodes_.end()) found->second.responding = false;
}

bool SlurmModel::accepts_jobs(const std::string& name) const {
  const auto found = nodes_.find(name);
  if (found == nodes_.end() || is_busy(name)) return false;
  const SimNode& node = found->second;
  return !node.down && !node.drain && node.responding;
}

void SlurmModel::start_job(const std::string& name, base::Duration length) {
  const base::WallTime start = clock_.wall();
  jobs_.push_back({++last_job_,
                   name,
                   nodes_.at(name).pod_uid,
                   start,
                   start + std::chrono::duration_cast<base::WallTime::duration>(length)});
}

void SlurmModel::end_jobs() {
  std::erase_if(jobs_, [&](const SimJob& job) {
    const auto node = nodes_.find(job.node);
    const bool alive =
        node != nodes_.end() && node->second.responding && node->second.pod_uid == job.pod_uid;
    return alive && job.ends <= clock_.wall();
  });
}

void SlurmModel::report_killed(const std::string& name) const {
  for (const SimJob& job : jobs_) {
    if (job.node == name && on_killed) on_killed(job);
  }
}

void SlurmModel::end_jobs_of(const std::string& name) {
  std::erase_if(jobs_, [&](const SimJob& job) { return job.node == name; });
}

void SlurmModel::drain(const std::string& name, std::string reason) {
  SimNode& node = nodes_.at(name);
  node.drain = true;
  node.reason = std::move(reason);
  node.reason_by = "root";
  node.reason_at = now();
}

void SlurmModel::resume(const std::string& name) {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return;
  found->second.drain = found->second.down = false;
  found->second.reason.clear();
}

}  // namespace opsim
