// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: a NodeSyncer with minimal models of both systems, on virtual time.
#include "bridge/nodes/syncer.h"
#include "slurm/testing/api_path.h"
#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace bridge::testing {

using slurm::testing::ScriptedTransport;

class NodeSyncerTest : public ::testing::Test {
 protected:
  struct SlurmNode {
    std::vector<std::string> states{"IDLE", "EXTERNAL"};
    std::string reason;
    std::string comment;
  };

  NodeSyncerTest() {
    syncer_.start();
    nodes_.list_begins();
    nodes_.list_ends();
    tasks_.spawn("nodes", slurm_nodes_.run());
    pass(std::chrono::seconds(1));
  }
  ~NodeSyncerTest() override {
    syncer_.stop();
    tasks_.cancel();
    loop_.run_virtual(clock_, clock_.now());
  }

  void pass(base::Duration time) { loop_.run_virtual(clock_, clock_.now() + time); }

  // The API server has this node, and the watch sends it. `more` is added to metadata.
  void see_node(const std::string& name,
                const std::string& spec = "{}",
                const std::string& more = "") {
    const std::string text = fmt::format(
        R"({{"metadata":{{"name":"{0}","uid":"u-{0}","resourceVersion":"{1}"{2}}},"spec":{3},)"
        R"("status":{{"capacity":{{"cpu":"4","memory":"8Gi"}},)"
        R"("conditions":[{{"type":"Ready","status":"True"}}]}}}})",
        name,
        ++version_,
        more,
        spec);
    served_[name] = text;
    json::Parser parser;
    nodes_.changed(*parser.parse(text));
  }
  void delete_node(const std::string& name) {
    json::Parser parser;
    nodes_.deleted(*parser.parse(served_[name]));
    served_.erase(name);
  }
  std::size_t deletions_remembered() const { return syncer_.deletions_remembered(); }
  // Uncordons the node without an event of the watch.
  void uncordon_unseen(const std::string& name) {
    std::string& text = served_[name];
    const std::string_view cordon = R"("unschedulable":true)";
    text.replace(text.find(cordon), cordon.size(), "");
    const std::string_view version = R"("resourceVersion":")";
    text.insert(text.find(version) + version.size(), "9");
  }
  void kubernetes_is_away(bool away) { away_ = away; }
  void slurm_changed() { ++slurm_time_; }

  std::size_t slurm_calls(std::string_view part) const { return to_slurm_.count(part); }
  std::size_t kube_calls(std::string_view part) const { return to_kube_.count(part); }
  // All writes in order, such as "PATCH /api/v1/nodes/n1 {...}".
  std::vector<std::string> kube_writes() const {
    std::vector<std::string> writes;
    for (const auto& call : to_kube_.calls) {
      if (call.request.method == "GET") continue;
      writes.push_back(call.request.method + " " + call.request.target + " " + call.request.body);
    }
    return writes;
  }
  // All writes in order, such as "POST /node/n1 {...}".
  std::vector<std::string> slurm_writes() const {
    std::vector<std::string> writes;
    for (const auto& call : to_slurm_.calls) {
      if (call.request.method == "GET") continue;
      writes.push_back(call.request.method + " " + path_of(call.request) + " " + call.request.body);
    }
    return writes;
  }

  std::map<std::string, SlurmNode> slurm_;
  config::LiveSettings live_;
  bool leads_ = true;
  // The API server's answer to a list of ResourceSlices.
  unsigned slices_status_ = 200;
  std::string slices_ = R"({"metadata":{"resourceVersion":"1"},"items":[]})";

 private:
  static std::string path_of(const net::http::Request& request) {
    return request.target.substr(slurm::testing::api_path("").size());
  }
  static json::Object described(const std::string& name, const SlurmNode& node) {
    json::Array states;
    for (const std::string& state : node.states) states.emplace_back(state);
    return {{"name", name},
            {"state", std::move(states)},
            {"reason", node.reason},
            {"comment", node.comment}};
  }
  net::http::Response listed(json::Array nodes) const {
    const json::Object body{{"nodes", std::move(nodes)},
                            {"last_update", json::Object{{"number", slurm_time_}}},
                            {"errors", json::Array{}}};
    return slurm::testing::answer(200, json::Value(body).dump());
  }
  ScriptedTransport::Reply slurm_reply(const net::http::Request& request) {
    const std::string path = path_of(request);
    if (path.starts_with("/nodes/")) {
      json::Array all;
      for (const auto& [name, node] : slurm_) all.emplace_back(described(name, node));
      return {listed(std::move(all))};
    }
    const auto done = slurm::testing::answer(200, R"({"errors":[]})");
    if (path == "/new/node/") {
      slurm_["new"] = {{"IDLE", "EXTERNAL", "DYNAMIC_NORM"}, "", ""};
      return {done};
    }
    if (!path.starts_with("/node/")) return {slurm::testing::answer(200, kPartitions)};
    SlurmNode& node = slurm_[path.substr(6)];
    if (request.method == "GET") return {listed({described(path.substr(6), node)})};
    if (request.method == "DELETE") slurm_.erase(path.substr(6));
    if (request.method == "POST") change(node, request.body);
    return {done};
  }
  static void change(SlurmNode& node, const std::string& body) {
    const auto asked = json::parse(body);
    if (const json::Value* comment = asked->find("comment")) node.comment = *comment->as_string();
    if (const json::Value* reason = asked->find("reason")) node.reason = *reason->as_string();
    std::erase(node.states, "DRAIN");
    if (body.contains("\"DRAIN\"")) node.states.emplace_back("DRAIN");
    if (body.contains("UNDRAIN")) node.reason.clear();
  }
  ScriptedTransport::Reply kube_reply(const net::http::Request& request) const {
    if (away_) return {base::Error(base::Kind::unavailable, "away")};
    const std::string_view nodes = "/api/v1/nodes/";
    if (request.method == "GET" && request.target.starts_with(nodes))
      return {slurm::testing::answer(200, served_.at(request.target.substr(nodes.size())))};
    if (request.target.contains("watch=1")) return {slurm::testing::answer(503, "{}")};
    if (request.target.contains("resourceslices"))
      return {slurm::testing::answer(slices_status_, slices_)};
    if (request.method == "GET") return {slurm::testing::answer(200, R"({"items":[]})")};
    return {slurm::testing::answer(200, "{}")};
  }

  static constexpr const char* kPartitions =
      R"({"errors":[],"partitions":[{"name":"short"},{"name":"gpu"}]})";

  std::map<std::string, std::string> served_;  // Kubernetes nodes by name
  bool away_ = false;
  base::VirtualClock clock_;
  net::Loop loop_{clock_, 7};
  net::TaskGroup tasks_{loop_};
  int version_ = 0;
  std::int64_t slurm_time_ = 1'700'000'000;
  ScriptedTransport to_slurm_{loop_, [this](const auto& request) { return slurm_reply(request); }};
  ScriptedTransport to_kube_{loop_, [this](const auto& request) { return kube_reply(request); }};
  slurm::TokenSource tokens_ = slurm::TokenSource::fixed(base::Secret("t"));
  kube::Credentials credentials_;
  slurm::Client slurm_client_{loop_, to_slurm_, tokens_};
  kube::Client kube_client_{to_kube_, credentials_};
  runtime::StepCounters tally_;
  base::Log log_;
  kube::Events events_{loop_, kube_client_, {"slurm-bridge", "test"}, log_};
  slurm::Mirror mirror_{loop_, slurm_client_, {}, [](std::string_view) { return false; }};
  slurm::NodeMirror slurm_nodes_{loop_, slurm_client_, {}, [] { return true; }};
  state::ClusterState cluster_{mirror_, slurm_nodes_, {"cluster-1", "slurm-bridge-scheduler"}};
  nodes::NodeSyncer syncer_{{loop_,
                             tasks_,
                             kube_client_,
                             slurm_client_,
                             log_,
                             "slurm-bridge-scheduler",
                             live_,
                             [this] { return leads_; },
                             tally_,
                             events_},
                            cluster_,
                            4};
  kube::Store<kube::Node>& nodes_ = cluster_.nodes();
};

}  // namespace bridge::testing
