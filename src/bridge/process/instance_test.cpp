// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/instance.h"

#include "net/testing/loop.h"
#include "slurm/testing/transport.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bridge::process {
namespace {

using net::http::Request;
using net::http::Response;
using slurm::testing::ScriptedTransport;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr int kEach = 12;  // pods to release, and nodes to drain

std::string pods() {
  std::string items;
  for (int i = 0; i < kEach; ++i)
    items += fmt::format(
        R"({}{{"metadata":{{"name":"p{}","namespace":"a","uid":"p-{}","resourceVersion":"1",)"
        R"("finalizers":["scheduler.slinky.slurm.net/finalizer"]}},)"
        R"("spec":{{"schedulerName":"slurm-bridge-scheduler"}},"status":{{"phase":"Succeeded"}}}})",
        i == 0 ? "" : ",",
        i,
        i);
  return items;
}

std::string node(const std::string& name) {
  return fmt::format(
      R"({{"metadata":{{"name":"{0}","uid":"u-{0}","resourceVersion":"1"}},)"
      R"("spec":{{"unschedulable":true}},"status":{{"capacity":{{"cpu":"4","memory":"8Gi"}},)"
      R"("conditions":[{{"type":"Ready","status":"True"}}]}}}})",
      name);
}
std::string slurm_node(const std::string& name) {
  return fmt::format(R"({{"name":"{}","state":["IDLE","EXTERNAL"]}})", name);
}
std::string all(std::string (*one)(const std::string& name)) {
  std::string items;
  for (int i = 0; i < kEach; ++i)
    items.append(i == 0 ? "" : ",").append(one(fmt::format("n{}", i)));
  return items;
}
std::string slurm_list(const std::string& items) {
  return fmt::format(R"({{"nodes":[{}],"last_update":{{"number":1700000000}},"errors":[]}})",
                     items);
}
// The part of the path after its last slash.
std::string last_word(const Request& request) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  return path.substr(path.rfind('/') + 1);
}

// Controllers with many pods and nodes to write, on systems that need a second for each write.
struct Controllers : ::testing::Test {
  void run(std::size_t pod_workers, std::size_t node_workers) {
    InstanceOptions options;
    options.role = Role::controllers;
    options.scheduler_name = "slurm-bridge-scheduler";
    options.live.nodes.taint = taint;
    options.pod_workers = pod_workers;
    options.node_workers = node_workers;
    instance =
        std::make_unique<Instance>(world.loop, Clients{kube, kube, slurm, slurm}, log, options);
    running.spawn("instance", [this]() -> net::Task<void> { outcome = co_await instance->run(); });
    (void)world.run(world.loop.sleep_for(60s));
  }
  ~Controllers() override {
    running.cancel();
    world.run(running.join());
  }

  void writes_keep_the_distance_asked_for_with(int status) {
    refusal = Response(status, {{"Retry-After", "25"}}, R"({"message":"later"})");
    taint = true;
    run(kEach, kEach);
    for (const char* object : {"/api/v1/namespaces/a/pods/p0", "/api/v1/nodes/n0"}) {
      std::vector<base::Instant> writes;
      for (const auto& call : to_kube.calls) {
        const std::string& target = call.request.target;
        if (call.request.method == "PATCH" && target.substr(0, target.find('?')) == object)
          writes.push_back(call.at);
      }
      ASSERT_GE(writes.size(), 2U) << object;
      for (std::size_t i = 1; i < writes.size(); ++i)
        EXPECT_GE(writes[i] - writes[i - 1], 25s) << object;
    }
  }

  ScriptedTransport::Reply kube_reply(const Request& request) const {
    if (request.method != "GET") return {refusal, 1s};
    if (request.target.contains("kube-system"))
      return {may_read ? Response(200, {}, R"({"metadata":{"uid":"u"}})")
                       : Response(403, {}, R"({"message":"forbidden"})")};
    if (request.target.starts_with("/api/v1/nodes/"))
      return {Response(200, {}, node(last_word(request)))};
    if (request.target.contains("/leases/")) return {Response(403, {}, R"({"message":"no"})")};
    return {Response(
        200,
        {},
        fmt::format(R"({{"metadata":{{"resourceVersion":"1"}},"items":[{}]}})", listed(request)))};
  }
  static std::string listed(const Request& request) {
    if (request.target.starts_with("/api/v1/pods")) return pods();
    return request.target.starts_with("/api/v1/nodes") ? all(node) : "";
  }
  static ScriptedTransport::Reply slurm_reply(const Request& request) {
    if (request.target.contains("/nodes/")) return {Response(200, {}, slurm_list(all(slurm_node)))};
    if (request.method != "GET") return {Response(200, {}, R"({"errors":[]})"), 1s};
    if (request.target.contains("/node/"))
      return {Response(200, {}, slurm_list(slurm_node(last_word(request))))};
    return {Response(200, {}, R"({"jobs":[],"errors":[],"warnings":[]})")};
  }

  // The largest number of concurrent writes whose target contains `part`.
  static std::size_t at_once(const ScriptedTransport& transport, std::string_view part) {
    std::size_t most = 0;
    for (const auto& one : transport.calls) {
      const auto overlaps = [&](const auto& other) {
        return other.request.method != "GET" && other.request.target.contains(part) &&
               other.at <= one.at && one.at < other.at + 1s;
      };
      most = std::max(most,
                      static_cast<std::size_t>(std::ranges::count_if(transport.calls, overlaps)));
    }
    return most;
  }

  bool may_read = true;
  bool taint = false;
  Response refusal{409, {}, R"({"message":"changed"})"};  // to every write to the API server
  net::testing::VirtualWorld world;
  std::vector<std::string> lines;
  base::Log log{[this](std::string_view line) { lines.emplace_back(line); },
                world.clock,
                base::LogFormat::human};
  ScriptedTransport to_kube{world.loop, [this](const Request& r) { return kube_reply(r); }};
  ScriptedTransport to_slurm{world.loop, [](const Request& r) { return slurm_reply(r); }};
  kube::Credentials credentials;
  slurm::TokenSource tokens = slurm::TokenSource::fixed(base::Secret("token"));
  kube::Client kube{to_kube, credentials};
  slurm::Client slurm{world.loop, to_slurm, tokens};
  std::unique_ptr<Instance> instance;
  std::optional<base::Result<void>> outcome;
  net::TaskGroup running{world.loop};
};

TEST_F(Controllers, ProcessAsManyPodsAndNodesAtOnceAsTheyHaveWorkers) {
  run(2, 5);
  EXPECT_EQ(at_once(to_kube, "/pods/"), 2U);
  EXPECT_EQ(at_once(to_slurm, "/node/"), 5U);
}

TEST_F(Controllers, WaitBeforeTheNextWriteForTheRetryAfterOfTheApiServer) {
  writes_keep_the_distance_asked_for_with(429);
}

TEST_F(Controllers, WaitForTheRetryAfterAlsoIfTheApiServerIsUnavailable) {
  writes_keep_the_distance_asked_for_with(503);
}

TEST_F(Controllers, ThatMayNotReadTheClusterIdExitAndNameTheMissingPermission) {
  may_read = false;
  run(1, 1);
  ASSERT_TRUE(outcome.has_value()) << "the controllers did not exit";
  ASSERT_FALSE(outcome->ok());
  EXPECT_THAT(outcome->error().message(), HasSubstr("grant this account get on namespaces"));
  EXPECT_EQ(std::ranges::count_if(lines, [](const auto& line) { return line.contains("grant"); }),
            1)
      << "the message is repeated";
}

}  // namespace
}  // namespace bridge::process
