// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "models/slurm/cluster.h"
#include "source_tree.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// For tests only.
namespace models::testing {

inline json::Value parsed(const std::string& text) {
  auto value = json::parse(text);
  if (!value.ok()) throw std::runtime_error(value.error().message() + ": " + text);
  return *std::move(value);
}

inline json::Value file(const std::string& path) {
  std::ifstream in(in_source_tree("tests/fixtures/" + path));
  return parsed(std::string(std::istreambuf_iterator<char>(in), {}));
}

// A value deep in a document: at(body, {"jobs", "0", "name"}).
inline json::Value at(const json::Value& from, const std::vector<std::string>& path) {
  const json::Value* here = &from;
  for (const std::string& step : path) {
    const json::Array* array = here->as_array();
    const bool index = array != nullptr && !step.empty() && step[0] >= '0' && step[0] <= '9';
    if (index && std::stoul(step) >= array->size()) return {};
    here = index ? &(*array)[std::stoul(step)] : here->find(step);
    if (here == nullptr) return {};
  }
  return *here;
}

struct Reply {
  int status = 0;
  std::string text;

  json::Value body() const { return parsed(text); }
  json::Value get(const std::vector<std::string>& path) const { return at(body(), path); }
  std::int64_t number(const std::vector<std::string>& path) const {
    const json::Value value = get(path);
    return value.as_int() != nullptr ? *value.as_int() : -1;
  }
  std::string string_at(const std::vector<std::string>& path) const {
    const json::Value value = get(path);
    return value.as_string() != nullptr ? *value.as_string() : "?";
  }
  std::int64_t error() const { return number({"errors", "0", "error_number"}); }
};

inline slurm::SlurmOptions four_nodes() {
  slurm::SlurmOptions options;
  for (const char* name : {"k001", "k002", "k003", "k004"}) {
    slurm::SlurmNode node;
    node.name = name;
    node.cpus = 32;
    node.sockets = 2;
    node.memory_mb = 131072;
    node.gres["gpu:a100"] = 8;
    node.features.insert("k8s");
    options.nodes.push_back(node);
  }
  options.partitions = {
      {"slurm-bridge", {}, {}}, {"small", {"k001", "k002"}, {}}, {"short", {}, 1}};
  return options;
}

// A cluster on virtual time, and short methods for requests.
struct Cluster {
  explicit Cluster(slurm::SlurmOptions options = four_nodes()) : slurm(clock, std::move(options)) {}

  Reply ask(const std::string& method, const std::string& path, const std::string& body = "") {
    return ask_as("slurm", method, path, body);
  }

  Reply ask_as(const std::string& user,
               const std::string& method,
               const std::string& path,
               const std::string& body = "") {
    return ask_version(
        std::string(slurm::kNewestApi), user, net::http::Request(method, path, body));
  }

  // The target is the part after the version.
  Reply ask_version(const std::string& version,
                    const std::string& user,
                    net::http::Request request) {
    request.target = "/slurm/" + version + request.target;
    request.headers.emplace_back("X-SLURM-USER-TOKEN", "t");
    request.headers.emplace_back("X-SLURM-USER-NAME", user);
    if (!request.body.empty()) request.headers.emplace_back("Content-Type", "application/json");
    const net::http::Response response = slurm.handle(request);
    return {response.status, response.body};
  }

  // The members are added to, or replace, those of a job with one CPU and 100 MB.
  Reply submit(const std::string& members = "{}", const std::string& user = "slurm") {
    json::Object job{
        {"flags", json::Array{"EXTERNAL_JOB"}},
        {"name", "x"},
        {"partition", "slurm-bridge"},
        {"minimum_nodes", 1},
        {"maximum_nodes", 1},
        {"tasks", 1},
        {"cpus_per_task", 1},
        {"memory_per_node", 100},
    };
    const json::Value more = parsed(members);
    for (const json::Member& member : *more.as_object()) job.set(member.key, member.value);
    return ask_as(user, "POST", "/job/submit", json::Value(json::Object{{"job", job}}).dump());
  }

  std::uint32_t id_of(const std::string& members) {
    return static_cast<std::uint32_t>(submit(members).number({"job_id"}));
  }

  const slurm::SlurmJob& job(std::uint32_t id) const { return slurm.jobs().at(id); }

  void advance(base::Duration by) {
    const base::Instant until = clock.now() + by;
    while (slurm.next_tick() <= until) {
      clock.advance_to(std::max(clock.now(), slurm.next_tick()));
      slurm.tick();
    }
    clock.advance_to(until);
  }
  void settle() { advance(std::chrono::seconds(1)); }

  base::VirtualClock clock;
  slurm::SlurmCluster slurm;
};

}  // namespace models::testing
