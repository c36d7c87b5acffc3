// SPDX-License-Identifier: Apache-2.0
// The reports of a whole process that cannot list or watch resources of the API server.
#include "bridge/process/list_watch_reports.h"

#include "bridge/process/instance.h"
#include "net/testing/loop.h"
#include "slurm/testing/transport.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace bridge::process {
namespace {

using net::http::Request;
using net::http::Response;
using slurm::testing::ScriptedTransport;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace std::chrono_literals;

struct ListWatchReportsTest : ::testing::Test {
  ListWatchReportsTest() {
    to_kube.watch_status = [this](const Request& request) {
      return request.target.contains(unwatchable) ? 403 : 200;
    };
    InstanceOptions options;
    options.scheduler_name = "slurm-bridge-scheduler";
    instance =
        std::make_unique<Instance>(world.loop, Clients{kube, kube, slurm, slurm}, log, options);
    running.spawn("instance", [this]() -> net::Task<void> { (void)co_await instance->run(); });
  }
  ~ListWatchReportsTest() override {
    running.cancel();
    world.run(running.join());
  }
  void pass(base::Duration time) { (void)world.run(world.loop.sleep_for(time)); }
  std::string not_ready() const {
    const auto ready = instance->ready();
    return ready.ok() ? "" : ready.error().message();
  }
  std::ptrdiff_t logged(std::string_view text) const {
    return std::ranges::count_if(lines, [&](const auto& line) { return line.contains(text); });
  }
  std::vector<std::string> events(std::string_view reason) const {
    std::vector<std::string> found;
    for (const auto& call : to_kube.calls) {
      if (call.request.method == "POST" && call.request.target.contains("/events") &&
          call.request.body.contains(reason))
        found.push_back(call.request.body);
    }
    return found;
  }

  ScriptedTransport::Reply kube_reply(const Request& request) const {
    if (request.method != "GET") return {Response(201, {}, R"({"metadata":{}})"), 1ms};
    if (request.target.contains("kube-system"))
      return {Response(200, {}, R"({"metadata":{"uid":"cluster-uid"}})"), 1ms};
    if (request.target.starts_with("/api/v1/" + unlistable))
      return {Response(403, {}, R"({"message":"it is forbidden"})"), 1ms};
    const bool ours =
        request.target.contains("/pods") && request.target.contains("schedulerName%3D");
    return {Response(200,
                     {},
                     fmt::format(R"({{"metadata":{{"resourceVersion":"1"}},"items":[{}]}})",
                                 ours ? items : "")),
            1ms};
  }
  static ScriptedTransport::Reply slurm_reply(const Request&) {
    return {Response(200, {}, R"({"jobs":[],"nodes":[],"errors":[],"warnings":[]})"), 1ms};
  }

  std::string unlistable = "none";
  std::string unwatchable = "none";
  std::string items;
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
  net::TaskGroup running{world.loop};
};

TEST_F(ListWatchReportsTest, AMissingPermissionToListPodsIsOneWarningOneEventAndNotReady) {
  unlistable = "pods";
  pass(5min);
  EXPECT_EQ(logged("cannot list pods: forbidden: it is forbidden; grant this account list on pods"),
            1)
      << "our pods and those of other schedulers are one resource";
  EXPECT_THAT(not_ready(),
              AllOf(HasSubstr("not been listed yet"), HasSubstr("cannot list pods: forbidden")));
  ASSERT_THAT(events("ListWatchFailed"), SizeIs(1));
  EXPECT_THAT(events("ListWatchFailed").front(),
              AllOf(HasSubstr(R"("kind":"Namespace")"), HasSubstr("cannot list pods")));

  unlistable = "none";
  pass(1min);
  EXPECT_EQ(not_ready(), "");
  EXPECT_EQ(logged("can list pods again"), 1);
  EXPECT_THAT(events("ListWatchRecovered"), SizeIs(1));
}

TEST_F(ListWatchReportsTest, AMissingPermissionToWatchMakesAReadyProcessUnready) {
  pass(1min);
  ASSERT_EQ(not_ready(), "");
  unwatchable = "/nodes";
  pass(5min);
  EXPECT_EQ(logged("cannot watch nodes: forbidden"), 1);
  EXPECT_THAT(not_ready(), HasSubstr("cannot watch nodes: forbidden"));
  unwatchable = "none";
  pass(1min);
  EXPECT_EQ(not_ready(), "");
  EXPECT_EQ(logged("can watch nodes again"), 1);
}

TEST_F(ListWatchReportsTest, AnObjectThatCannotBeDecodedIsLoggedOnceAndTheOthersAreCached) {
  items = R"({"metadata":{"name":"bad","namespace":"a","uid":"1","resourceVersion":"1"},"spec":7},)"
          R"({"metadata":{"name":"good","namespace":"a","uid":"2","resourceVersion":"1"}})";
  pass(5min);
  EXPECT_EQ(not_ready(), "");
  EXPECT_EQ(logged("an object cannot be decoded and is ignored"), 1);
  EXPECT_EQ(logged("a/bad"), 1);
  EXPECT_EQ(instance->stats().feeds.front().objects, 1U);
}

}  // namespace
}  // namespace bridge::process
