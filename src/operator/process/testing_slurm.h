// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: a minimal slurmrestd and a configuration agent, and the addresses of both.

#include "json/value.h"
#include "operator/plan/plan.h"
#include "operator/process/endpoints.h"
#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slurmop::process::testing {

struct FakeNode {
  std::vector<std::string> states = {"IDLE"};
  std::string reason = {};
  std::int64_t slurmd_start_time = 0;
};

class FakeDaemons {
 public:
  using Reply = slurm::testing::ScriptedTransport::Reply;

  std::map<std::string, FakeNode> nodes;
  std::map<std::uint32_t, std::string> jobs;  // running jobs: id -> node
  std::optional<base::Error> outage;          // of slurmrestd
  std::string refused_node;                   // changes of this node are refused
  plan::ConfigReport report;
  bool agent_answers = true;
  std::vector<std::string> changes;  // "DRAIN worker-0", "DELETE worker-0", ...

  Reply reply(const net::http::Request& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    if (path == "/status") return {agent()};
    if (outage) return {*outage};
    if (path.ends_with("/ping/")) return {body("pings", {})};
    if (path.ends_with("/nodes/")) return {all_nodes()};
    if (path.ends_with("/partitions/"))
      return {body("partitions", {json::Object{{"name", "main"}}})};
    if (path.ends_with("/jobs/state/")) return {job_states()};
    if (path.contains("/job/")) return {job(path.substr(path.rfind('/') + 1))};
    if (path.contains("/node/")) return {change(request, path.substr(path.rfind('/') + 1))};
    return {slurm::testing::answer(404, "not here")};
  }

 private:
  static net::http::Response body(const char* key, json::Array list) {
    const json::Object all{{key, std::move(list)},
                           {"last_update", json::Object{{"number", 1}}},
                           {"errors", json::Array{}}};
    return slurm::testing::answer(200, json::Value(all).dump());
  }
  static json::Object time(std::int64_t seconds) {
    return {{"set", true}, {"infinite", false}, {"number", seconds}};
  }

  net::http::Response agent() const {
    if (!agent_answers) return slurm::testing::answer(503, "");
    const json::Object shown{
        {"seen", report.seen}, {"active", report.active}, {"error", report.error}};
    return slurm::testing::answer(200, json::Value(shown).dump());
  }
  net::http::Response all_nodes() const {
    json::Array list;
    for (const auto& [name, node] : nodes) {
      json::Array states;
      for (const std::string& state : node.states) states.emplace_back(state);
      list.push_back(json::Object{{"name", name},
                                  {"state", std::move(states)},
                                  {"reason", node.reason},
                                  {"slurmd_start_time", time(node.slurmd_start_time)}});
    }
    return body("nodes", std::move(list));
  }
  net::http::Response job_states() const {
    json::Array list;
    for (const auto& [id, node] : jobs)
      list.push_back(
          json::Object{{"job_id", std::to_string(id)}, {"state", json::Array{"RUNNING"}}});
    return body("jobs", std::move(list));
  }
  net::http::Response job(const std::string& id) const {
    const auto number = static_cast<std::uint32_t>(std::stoul(id));
    return body("jobs",
                {json::Object{{"job_id", number},
                              {"job_state", json::Array{"RUNNING"}},
                              {"nodes", jobs.at(number)},
                              {"start_time", time(1'700'000'000)},
                              {"end_time", time(1'700'003'600)}}});
  }
  net::http::Response change(const net::http::Request& request, const std::string& name) {
    if (name == refused_node)
      return slurm::testing::answer(500, R"({"errors":[{"error_number":2009}]})");
    if (request.method == "DELETE") {
      changes.push_back("DELETE " + name);
      nodes.erase(name);
      return body("none", {});
    }
    const auto wanted = json::parse(request.body);
    const std::string state = *wanted->find("state")->as_array()->front().as_string();
    changes.push_back(state + " " + name);
    FakeNode& node = nodes[name];
    if (const json::Value* reason = wanted->find("reason")) node.reason = *reason->as_string();
    if (state == "DRAIN") node.states.emplace_back("DRAIN");
    if (state == "UNDRAIN") std::erase(node.states, "DRAIN");
    if (state == "DOWN") node.states = {"DOWN"};
    if (state == "RESUME") node.states = {"IDLE"};
    return body("none", {});
  }
};

// All clusters have the same daemons.
class FakeEndpoints final : public Endpoints {
 public:
  FakeEndpoints(net::Loop& loop, FakeDaemons& daemons)
      : transport(loop, [&daemons](const net::http::Request& r) { return daemons.reply(r); }) {}

  std::optional<Address> slurmrestd(const kube::ObjectKey&) const override { return rest_address; }
  std::optional<Address> agent(const kube::ObjectKey&) const override { return agent_address; }
  std::unique_ptr<net::http::Transport> connect(const Address&) override {
    ++connections;
    return std::make_unique<Forward>(transport);
  }

  std::optional<Address> rest_address = Address{"10.0.0.1", 6820};
  std::optional<Address> agent_address = Address{"10.0.0.2", 6880};
  int connections = 0;
  slurm::testing::ScriptedTransport transport;

 private:
  class Forward final : public net::http::Transport {
   public:
    explicit Forward(net::http::Transport& to) : to_(to) {}
    net::Task<base::Result<net::http::Response>> send(net::http::Request request,
                                                      base::Instant deadline) override {
      return to_.send(std::move(request), deadline);
    }
    net::Task<base::Result<net::http::StreamingResponse>> open(net::http::Request request,
                                                               base::Instant deadline) override {
      return to_.open(std::move(request), deadline);
    }

   private:
    net::http::Transport& to_;
  };
};

}  // namespace slurmop::process::testing
