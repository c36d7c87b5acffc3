// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/exposure.h"

#include "net/testing/loop.h"
#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"
#include "telemetry/endpoints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::process {
namespace {

using base::Error;
using base::Kind;
using net::http::Request;
using net::http::Response;
using slurm::testing::sample;
using slurm::testing::ScriptedTransport;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

InstanceOptions options_for(Role role) {
  InstanceOptions options;
  options.role = role;
  options.host = "host-1";
  options.scheduler_name = "slurm-bridge-scheduler";
  options.live.defaults.partition = "slurm-bridge";
  return options;
}

// A bridge between an empty cluster and a Slurm without jobs; each of them can be unreachable.
struct Exposure : ::testing::Test {
  explicit Exposure(Role role = Role::all) : options(options_for(role)) {
    register_metrics(*instance, metrics);
    register_health_checks(*instance, role, health);
  }
  ~Exposure() override {
    running.cancel();
    world.run(running.join());
  }

  void start() {
    running.spawn("instance", [this]() -> net::Task<void> { (void)co_await instance->run(); });
  }
  void pass(base::Duration time) { (void)world.run(world.loop.sleep_for(time)); }
  std::string readyz() {
    const auto answer = telemetry::health_endpoint(health)(Request("GET", "/readyz?verbose"));
    return std::to_string(answer->status) + "\n" + answer->body;
  }

  ScriptedTransport::Reply kube_reply(const Request& request) const {
    if (kube_away) return {Error(Kind::unreachable, "refused"), 1ms};
    if (request.target.contains("kube-system"))
      return {Response(200, {}, R"({"metadata":{"name":"kube-system","uid":"u"}})"), 1ms};
    if (lists_fail) return {Error(Kind::unreachable, "refused"), 1ms};
    return {Response(200, {}, R"({"kind":"List","metadata":{"resourceVersion":"1"},"items":[]})"),
            1ms};
  }
  ScriptedTransport::Reply slurm_reply(const Request& request) const {
    if (slurm_unreachable) return {Error(Kind::unreachable, "refused"), 1ms};
    if (request.method == "POST") return {sample(token), 1ms};
    return {Response(200, {}, R"({"jobs":[],"errors":[],"warnings":[]})"), 1ms};
  }

  bool kube_away = false;
  bool lists_fail = false;
  bool slurm_unreachable = false;
  std::string token = "token-check-fine";
  net::testing::VirtualWorld world;
  ScriptedTransport to_kube{world.loop, [this](const Request& r) { return kube_reply(r); }};
  ScriptedTransport to_slurm{world.loop, [this](const Request& r) { return slurm_reply(r); }};
  kube::Credentials credentials;
  slurm::TokenSource tokens = slurm::TokenSource::fixed(base::Secret("token"));
  kube::Client kube{to_kube, credentials};
  slurm::Client slurm{world.loop, to_slurm, tokens};
  InstanceOptions options;
  std::unique_ptr<Instance> instance = std::make_unique<Instance>(
      world.loop, Clients{kube, kube, slurm, slurm}, base::Log(), options);
  telemetry::Metrics metrics;
  telemetry::Health health;
  net::TaskGroup running{world.loop};
};

TEST_F(Exposure, ARoleIsReadyWhenPodsAndNodesHaveBeenListed) {
  kube_away = true;
  start();
  pass(5s);
  EXPECT_THAT(readyz(), AllOf(HasSubstr("500\n"), HasSubstr("API server has not been reached")));
  kube_away = false;
  lists_fail = true;
  pass(30s);
  EXPECT_THAT(readyz(), AllOf(HasSubstr("500\n"), HasSubstr("not been listed")));
  lists_fail = false;
  pass(60s);
  EXPECT_EQ(readyz(),
            "200\n[+]scheduler ok\n[+]controllers ok\n[+]slurm-poll ok\nreadyz check passed\n");
  EXPECT_THAT(metrics.text(),
              AllOf(HasSubstr("slurm_bridge_leader 1\n"),
                    HasSubstr("slurm_bridge_objects{resource=\"pods\"} 0\n"),
                    HasSubstr("slurm_bridge_lists_total{resource=\"nodes\"}")));
}

TEST_F(Exposure, ARoleIsReadyWhileSlurmIsUnreachableForAMinuteAndAMetricShowsIt) {
  start();
  EXPECT_THAT(metrics.text(), Not(HasSubstr("slurm_bridge_slurm_up ")));
  pass(5s);
  EXPECT_THAT(metrics.text(), HasSubstr("slurm_bridge_slurm_up 1\n"));
  slurm_unreachable = true;
  pass(80s);
  EXPECT_THAT(metrics.text(), HasSubstr("slurm_bridge_slurm_up 0\n"));
  EXPECT_THAT(readyz(), AllOf(HasSubstr("200\n"), HasSubstr("[!]slurm: ")));
  slurm_unreachable = false;
  pass(5min);
  EXPECT_THAT(metrics.text(), HasSubstr("slurm_bridge_slurm_up 1\n"));
  EXPECT_THAT(readyz(), Not(HasSubstr("[!]")));
}

TEST_F(Exposure, ARoleIsNotReadyWithoutACompletePollForTwoMinutesAndShowsTheReason) {
  start();
  pass(5s);
  slurm_unreachable = true;
  pass(3min);
  EXPECT_THAT(readyz(),
              AllOf(HasSubstr("500\n"),
                    HasSubstr("[-]slurm-poll failed: the latest complete poll of Slurm's jobs is "),
                    HasSubstr("Slurm has not served us for ")));
  slurm_unreachable = false;
  pass(30s);
  EXPECT_THAT(readyz(), HasSubstr("200\n"));
}

TEST_F(Exposure, ARoleThatNeverReachedSlurmIsNotReadyAfterTwoMinutes) {
  slurm_unreachable = true;
  start();
  pass(60s);
  EXPECT_THAT(readyz(), HasSubstr("200\n"));
  pass(90s);
  EXPECT_THAT(readyz(), AllOf(HasSubstr("500\n"), HasSubstr("[-]slurm-poll failed: ")));
}

TEST_F(Exposure, ARoleIsReadyAlsoIfSlurmIsUnreachableFromTheStart) {
  slurm_unreachable = true;
  start();
  pass(60s);
  EXPECT_THAT(metrics.text(), HasSubstr("slurm_bridge_slurm_up 0\n"));
  EXPECT_THAT(readyz(), AllOf(HasSubstr("200\n"), HasSubstr("[!]slurm: ")));
}

TEST_F(Exposure, AWrongTokenIsReportedAndTheRoleStaysReady) {
  token = "token-check-as-user";
  start();
  pass(5s);
  EXPECT_THAT(readyz(), AllOf(HasSubstr("200\n"), HasSubstr("[!]slurm-token: ")));
  EXPECT_THAT(metrics.text(), HasSubstr("slurm_bridge_slurm_token_ok 0\n"));
  token = "token-check-fine";
  pass(2min);
  EXPECT_THAT(readyz(), Not(HasSubstr("[!]")));
  EXPECT_THAT(metrics.text(), HasSubstr("slurm_bridge_slurm_token_ok 1\n"));
}

struct ControllersExposure : Exposure {
  ControllersExposure() : Exposure(Role::controllers) {}
};

TEST_F(ControllersExposure, ARoleThatSubmitsNoJobsDoesNotCheckTheToken) {
  start();
  pass(60s);
  EXPECT_EQ(readyz(), "200\n[+]controllers ok\n[+]slurm-poll ok\nreadyz check passed\n");
  EXPECT_EQ(to_slurm.count("submit"), 0U);
  EXPECT_THAT(metrics.text(), Not(HasSubstr("slurm_bridge_slurm_token_ok ")));
}

TEST(StepCounters, CountsStepsByOutcome) {
  runtime::StepCounters steps;
  steps.done("bind");
  steps.done("bind");
  steps.failed("bind", Kind::conflict);
  const runtime::StepCounters::Counts want{{{"bind", "conflict"}, 1}, {{"bind", "done"}, 2}};
  EXPECT_EQ(steps.counts(), want);
}

}  // namespace
}  // namespace bridge::process
