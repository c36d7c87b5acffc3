// SPDX-License-Identifier: Apache-2.0
// A process in a leader election: its result when it loses the Lease before it runs, and its
// readiness when it can never acquire the Lease.
#include "bridge/process/instance.h"
#include "kube/testing/leases.h"
#include "net/testing/loop.h"
#include "slurm/testing/transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace bridge::process {
namespace {

using base::Error;
using base::Kind;
using kube::testing::Fate;
using net::http::Request;
using net::http::Response;
using slurm::testing::ScriptedTransport;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

struct Candidate : ::testing::Test {
  Candidate() {
    InstanceOptions options;
    options.role = Role::controllers;
    options.scheduler_name = "slurm-bridge-scheduler";
    options.leadership = Leadership{{{"n", "l"}}, "us"};
    instance = std::make_unique<Instance>(
        world.loop, Clients{kube, leases, slurm, slurm}, base::Log(), std::move(options));
  }
  ~Candidate() override {
    running.cancel();
    world.run(running.join());
  }
  void start() {
    running.spawn("instance", [this]() -> net::Task<void> { outcome = co_await instance->run(); });
  }
  void pass(base::Duration time) { (void)world.run(world.loop.sleep_for(time)); }
  // From now on another process holds the Lease.
  void lease_is_taken() { lease.set({{"holderIdentity", "another"}}); }

  ScriptedTransport::Reply kube_reply(const Request& request) const {
    if (kube_is_away) return {Error(Kind::unreachable, "refused"), 1ms};
    if (request.target.contains("kube-system"))
      return {Response(200, {}, R"({"metadata":{"uid":"u"}})"), 1ms};
    return {Response(200, {}, R"({"metadata":{"resourceVersion":"1"},"items":[]})"), 1ms};
  }

  bool kube_is_away = false;
  net::testing::VirtualWorld world;
  kube::testing::LeaseServer lease;
  kube::testing::LeaseLink to_leases{world.loop, lease};
  ScriptedTransport to_kube{world.loop, [this](const Request& r) { return kube_reply(r); }};
  ScriptedTransport to_slurm{world.loop, [](const Request&) -> ScriptedTransport::Reply {
                               return {Error(Kind::unreachable, "refused"), 1ms};
                             }};
  kube::Credentials credentials;
  slurm::TokenSource tokens = slurm::TokenSource::fixed(base::Secret("token"));
  kube::Client kube{to_kube, credentials};
  kube::Client leases{to_leases, credentials};
  slurm::Client slurm{world.loop, to_slurm, tokens};
  std::unique_ptr<Instance> instance;
  std::optional<base::Result<void>> outcome;
  net::TaskGroup running{world.loop};
};

TEST_F(Candidate, ThatLosesTheLeaseBeforeItReachedSlurmEndsAndNamesTheNewHolder) {
  start();
  pass(30s);
  ASSERT_TRUE(instance->leading());
  lease_is_taken();
  pass(30s);
  ASSERT_TRUE(outcome) << "the process waits for Slurm although another process leads";
  ASSERT_FALSE(outcome->ok());
  EXPECT_EQ(outcome->error().kind(), Kind::conflict);
  EXPECT_THAT(outcome->error().message(), HasSubstr("to another"));
}

TEST_F(Candidate, ThatLosesTheLeaseBeforeItReachedTheApiServerEndsToo) {
  kube_is_away = true;
  start();
  pass(30s);
  lease_is_taken();
  pass(30s);
  ASSERT_TRUE(outcome);
  ASSERT_FALSE(outcome->ok());
  EXPECT_EQ(outcome->error().kind(), Kind::conflict);
}

TEST_F(Candidate, ThatCannotRenewBeforeItReachedSlurmEndsToo) {
  start();
  pass(30s);
  to_leases.down = true;
  pass(60s);
  ASSERT_TRUE(outcome);
  ASSERT_FALSE(outcome->ok());
  EXPECT_EQ(outcome->error().kind(), Kind::unavailable);
}

TEST_F(Candidate, ThatIsStoppedWhileItWaitsForSlurmEndsInGoodOrder) {
  start();
  pass(30s);
  instance->stop();
  pass(5s);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->ok());
}

TEST_F(Candidate, ThatMayNotReadItsLeaseIsNotReadyAndShowsTheReason) {
  for (int i = 0; i < 20; ++i) to_leases.fates.push_back(Fate::http_403);
  start();
  pass(10s);
  const auto ready = instance->ready();
  ASSERT_FALSE(ready.ok()) << "the process is ready although it can never lead";
  EXPECT_THAT(ready.error().message(), HasSubstr("leader election: forbidden: read the lease"));
  pass(5min);
  EXPECT_TRUE(instance->ready().ok());
  EXPECT_TRUE(instance->leading());
}

TEST_F(Candidate, ThatWaitsWhileAnotherLeadsOrTheServerIsUnreachableIsReady) {
  lease.set({{"holderIdentity", "another"}, {"leaseDurationSeconds", 3600}});
  start();
  pass(1min);
  EXPECT_TRUE(instance->ready().ok());
  to_leases.down = true;
  pass(1min);
  EXPECT_TRUE(instance->ready().ok());
}

}  // namespace
}  // namespace bridge::process
