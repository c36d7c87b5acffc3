// SPDX-License-Identifier: Apache-2.0
#include "kube/runner/runner.h"

#include "kube/api/config_map.h"
#include "kube/testing/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kube::inline runner {
namespace {

using namespace std::chrono_literals;
using base::Error;
using base::Kind;
using base::Result;
using ::testing::HasSubstr;
using testing::ModelWorld;

const std::string kMaps = "/api/v1/namespaces/default/configmaps";

struct ControllerTest : ::testing::Test {
  void add_map(std::string_view name, std::string_view metadata = "") {
    world.send("POST", kMaps, fmt::format(R"({{"metadata":{{"name":"{}"{}}}}})", name, metadata));
  }
  Controller<>::Reconcile counting() {
    return [this](ObjectKey key) { return count(std::move(key)); };
  }
  net::Task<Result<Requeue>> count(ObjectKey key) {
    ++runs[key.name];
    when.push_back(world.loop.now());
    if (fails > 0) {
      --fails;
      co_return error;
    }
    co_return answer;
  }
  ~ControllerTest() override { world.finish(); }
  Controller<>& make_controller() {
    return world.keep<Controller<>>(world.loop, ControllerOptions{"test"}, counting(), base::Log());
  }
  void start(Controller<>& controller) {
    world.work.spawn("cache", maps.run());
    world.work.spawn("controller", controller.run());
  }

  ModelWorld world;
  Cache<ConfigMap> maps{world.access};
  std::map<std::string, int> runs;
  std::vector<base::Instant> when;
  int fails = 0;
  Error error{Kind::unavailable, "not now"};
  Requeue answer = Requeue::on_change();
};

TEST_F(ControllerTest, RunsEachObjectOnceAfterTheStoresAreFilled) {
  add_map("a");
  add_map("b");
  auto& controller = make_controller();
  controller.watch(maps);
  world.work.spawn("controller", controller.run());
  world.pass(1s);
  EXPECT_TRUE(runs.empty());  // nothing is known yet
  world.work.spawn("cache", maps.run());
  world.wait_until([&] { return runs.size() == 2; });
  world.pass(1min);
  EXPECT_EQ(runs["a"], 1);
  world.send("PATCH", kMaps + "/a", R"({"data":{"x":"1"}})");
  world.wait_until([&] { return runs["a"] == 2; });
  EXPECT_EQ(runs["b"], 1);
}

TEST_F(ControllerTest, AFailureIsRetriedWithBackOffAndNotBeforeRetryAfter) {
  add_map("a");
  fails = 3;
  error = Error(Kind::too_many, "slow down").with_retry_after(2s);
  auto& controller = make_controller();
  controller.watch(maps);
  start(controller);
  world.wait_until([&] { return runs["a"] == 4; });
  ASSERT_EQ(when.size(), 4U);
  for (std::size_t i = 1; i < when.size(); ++i) EXPECT_GE(when[i] - when[i - 1], 2s);
  EXPECT_EQ(controller.failures(), 3U);
  world.pass(10min);
  EXPECT_EQ(runs["a"], 4);
}

TEST_F(ControllerTest, ARequeuedKeyRunsAgainAfterItsDelay) {
  add_map("a");
  answer = Requeue::after(30s);
  auto& controller = make_controller();
  controller.watch(maps);
  start(controller);
  world.wait_until([&] { return runs["a"] == 3; });
  EXPECT_EQ(when[1] - when[0], 30s);
  EXPECT_EQ(when[2] - when[1], 30s);
}

TEST_F(ControllerTest, AnOwnedObjectConcernsItsController) {
  auto& controller = make_controller();
  controller.owns(maps, kStatefulSets);
  start(controller);
  add_map("mine",
          R"(,"ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"set",)"
          R"("uid":"u","controller":true}])");
  add_map("theirs",
          R"(,"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"v",)"
          R"("controller":true}])");
  world.wait_until([&] { return runs.contains("set"); });
  EXPECT_EQ(runs.size(), 1U);
}

// --- runner

struct RunnerTest : ControllerTest {
  struct Process {
    Process(RunnerTest& test, std::string identity)
        : runner(test.world.access, test.world.client, metrics, options(std::move(identity))) {
      runner.add_leading("work",
                         [this, &test]() -> net::Task<void> { return work(test.world.loop); });
    }
    static RunnerOptions options(std::string identity) {
      RunnerOptions options;
      options.election = Election::Options{{"default", "lease"}, std::move(identity)};
      return options;
    }
    net::Task<void> work(net::Loop& loop) {
      works = true;
      (void)co_await loop.sleep_until(base::kNever);
      works = false;
    }
    net::Task<void> run() {
      outcome = co_await runner.run();
      ended = true;
    }
    telemetry::Metrics metrics;
    Runner runner;
    bool works = false;
    bool ended = false;
    Result<void> outcome;
  };
};

TEST_F(RunnerTest, OnlyOneOfTwoActsAndTheOtherFollowsAfterARelease) {
  Process one(*this, "one");
  Process two(*this, "two");
  world.work.spawn("one", one.run());
  world.wait_until([&] { return one.works; });
  world.work.spawn("two", two.run());
  world.pass(1min);
  EXPECT_TRUE(one.runner.leading());
  EXPECT_FALSE(two.works);
  one.runner.stop();
  world.wait_until([&] { return one.ended; });
  EXPECT_TRUE(one.outcome.ok());
  EXPECT_FALSE(one.works);
  const base::Instant released = world.loop.now();
  world.wait_until([&] { return two.works; });
  EXPECT_LT(world.loop.now() - released, 5s);  // it did not wait for the Lease to expire
  two.runner.stop();
  world.wait_until([&] { return two.ended; });
}

TEST_F(RunnerTest, LostLeadershipEndsTheRunWithAnError) {
  Process one(*this, "one");
  world.work.spawn("one", one.run());
  world.wait_until([&] { return one.works; });
  world.send("PATCH",
             "/apis/coordination.k8s.io/v1/namespaces/default/leases/lease",
             R"({"spec":{"holderIdentity":"another"}})");
  world.wait_until([&] { return one.ended; });
  EXPECT_FALSE(one.outcome.ok());
  EXPECT_FALSE(one.works);
}

TEST_F(RunnerTest, IsReadyWhenItsCachesAreFilled) {
  telemetry::Metrics metrics;
  Runner runner(world.access, world.client, metrics, {});
  runner.add(maps);
  auto& controller = make_controller();
  controller.watch(maps);
  runner.add(controller);
  add_map("a");
  ASSERT_EQ(runner.health().readiness().size(), 1U);
  EXPECT_FALSE(runner.health().readiness()[0].result.ok());
  world.work.spawn("runner", [&]() -> net::Task<void> { (void)co_await runner.run(); });
  world.wait_until([&] { return runs["a"] == 1; });
  EXPECT_TRUE(runner.health().readiness()[0].result.ok());
  EXPECT_THAT(metrics.text(), HasSubstr("controller_reconcile_total{controller=\"test\"} 1"));
  EXPECT_THAT(metrics.text(), HasSubstr("leading 1"));
  runner.stop();
  world.pass(1s);
}

}  // namespace
}  // namespace kube::inline runner
