// SPDX-License-Identifier: Apache-2.0
// The running operator on the model of the API server, with a plan of the test.
#include "operator/process/operator.h"

#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using namespace std::chrono_literals;
using kube::ObjectKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct OperatorTest : ::testing::Test {
  ~OperatorTest() override { world.finish(); }

  Operator& start() {
    OperatorOptions options;
    options.workers = 2;
    options.make_plan = [this](const plan::Known& known) { return plan(known); };
    auto& made = world.keep<Operator>(world.access, options, [this](const Stores&) {
      return std::make_unique<testing::FakeEndpoints>(world.loop, world.daemons);
    });
    made.start(world.work);
    return made;
  }

  // One ConfigMap, and workers with the names in `wanted`.
  plan::Plan plan(const plan::Known& known) {
    last = known;
    ++passes;
    plan::Plan plan = extra;
    if (plan_objects) plan.objects.push_back(owned("ConfigMap", "c-config"));
    plan.prune = true;
    for (const std::string& name : wanted) {
      const auto is_it = [&](const kube::ObservedPod& pod) { return pod.metadata.name == name; };
      if (std::ranges::none_of(known.pods, is_it)) plan.pods.emplace_back(pod(name));
    }
    plan.status = {{"phase", known.apply_failures.empty() ? "Ready" : "Degraded"}};
    return plan;
  }
  json::Object owned(const char* kind, const std::string& name) const {
    const auto text = fmt::format(
        R"({{"apiVersion":"v1","kind":"{}","metadata":{{"name":"{}","namespace":"default",{},
             "ownerReferences":[{{"apiVersion":"slurm.nebius.ai/v1","kind":"SlurmCluster","name":"c",
             "uid":"{}","controller":true}}]}}}})",
        kind,
        name,
        world.labels("c", "worker"),
        world.ref("c").uid);
    return *json::parse(text)->as_object();
  }
  plan::CreateWorker pod(const std::string& name) const {
    json::Object whole = owned("Pod", name);
    whole.set("spec", *json::parse(R"({"containers":[{"name":"c","image":"i:1"}]})"));
    return {std::move(whole)};
  }
  std::string phase() const { return world.text("slurmclusters", "c", {"status", "phase"}); }

  testing::ProcessWorld world;
  plan::Known last;
  int passes = 0;
  plan::Plan extra;
  bool plan_objects = true;
  std::vector<std::string> wanted;
};

TEST_F(OperatorTest, AClusterReachesItsDesiredStateAndThenNothingIsWritten) {
  wanted = {"worker-0", "worker-1"};
  start();
  world.add_cluster("c");
  world.wait_until([&] { return phase() == "Ready" && world.exists("pods", "worker-1"); });
  EXPECT_TRUE(world.exists("configmaps", "c-config"));
  world.pass(30s);
  const std::size_t writes = world.transport.writes();
  const int before = passes;
  world.pass(10min);
  EXPECT_EQ(world.transport.writes(), writes);
  EXPECT_EQ(passes, before);
}

TEST_F(OperatorTest, ADeletedObjectIsCreatedAgain) {
  start();
  world.add_cluster("c");
  world.wait_until([&] { return phase() == "Ready"; });
  world.send("DELETE", "/api/v1/namespaces/default/configmaps/c-config");
  EXPECT_FALSE(world.exists("configmaps", "c-config"));
  world.wait_until([&] { return world.exists("configmaps", "c-config"); });
}

TEST_F(OperatorTest, SlurmIsKnownAfterItAnsweredAndUnknownAfterAnOutage) {
  world.daemons.nodes["worker-0"] = {};
  world.daemons.report = {"h", "h", ""};
  start();
  world.add_cluster("c");
  world.wait_until([&] { return passes > 0; });
  EXPECT_TRUE(std::holds_alternative<workers::SlurmUnknown>(last.slurm));
  world.pass(1s);
  world.add_jwt_key("c");
  world.wait_until([&] { return std::holds_alternative<workers::SlurmKnown>(last.slurm); });
  EXPECT_TRUE(last.config.has_value());
  world.daemons.outage = base::Error(base::Kind::unreachable, "refused");
  world.wait_until([&] { return std::holds_alternative<workers::SlurmUnknown>(last.slurm); });
}

TEST_F(OperatorTest, ARestartedOperatorAsksSlurmBeforeItsFirstPlan) {
  world.daemons.nodes["worker-0"] = {};
  world.daemons.report = {"h", "h", ""};
  world.add_jwt_key("c");
  world.add_cluster("c");
  start();
  world.wait_until([&] { return passes > 0; });
  EXPECT_TRUE(std::holds_alternative<workers::SlurmKnown>(last.slurm));
  EXPECT_TRUE(last.config.has_value());
}

TEST_F(OperatorTest, ARejectedObjectIsInTheNextPlanAndIsRetriedWithBackOff) {
  extra.objects = {owned("ConfigMap", "Bad_Name")};
  start();
  world.add_cluster("c");
  world.wait_until([&] { return phase() == "Degraded"; });
  EXPECT_THAT(last.apply_failures, ElementsAre(HasSubstr("Bad_Name")));
  EXPECT_TRUE(world.exists("configmaps", "c-config"));
  world.pass(5min);
  const int before = passes;
  world.pass(5min);
  EXPECT_GE(passes - before, 8);
  EXPECT_LE(passes - before, 22);
  extra.objects.clear();
  world.wait_until([&] { return phase() == "Ready"; });
  EXPECT_THAT(last.apply_failures, IsEmpty());
}

TEST_F(OperatorTest, ItRunsAgainAfterTheTimeThatThePlanAsksFor) {
  extra.again = 20s;
  start();
  world.add_cluster("c");
  world.wait_until([&] { return phase() == "Ready"; });
  world.pass(10s);
  const int before = passes;
  world.pass(100s);
  EXPECT_NEAR(passes - before, 5, 1);
}

TEST_F(OperatorTest, TheLinkEndsWithTheCluster) {
  Operator& running = start();
  world.add_cluster("c");
  world.wait_until([&] { return phase() == "Ready"; });
  EXPECT_EQ(running.links().size(), 1U);
  world.delete_cluster("c");
  world.wait_until([&] { return running.links().size() == 0; });
}

TEST_F(OperatorTest, NothingIsCreatedForAClusterThatIsBeingDeleted) {
  start();
  world.add_cluster("c");
  world.wait_until([&] { return phase() == "Ready"; });
  world.send("PATCH",
             "/apis/slurm.nebius.ai/v1/namespaces/default/slurmclusters/c",
             R"({"metadata":{"finalizers":["example.com/wait"]}})");
  world.delete_cluster("c");
  world.pass(1s);
  world.send("DELETE", "/api/v1/namespaces/default/configmaps/c-config");
  world.pass(1min);
  EXPECT_TRUE(world.exists("slurmclusters", "c"));
  EXPECT_FALSE(world.exists("configmaps", "c-config"));
}

TEST_F(OperatorTest, AClusterThatIsCreatedAgainGetsANewLink) {
  Operator& running = start();
  world.add_cluster("c");
  world.wait_until([&] { return phase() == "Ready"; });
  const auto first =
      running.links().of(running.stores().clusters().find({"default", "c"})->metadata);
  plan_objects = false;
  world.delete_cluster("c");
  world.add_cluster("c");
  world.wait_until([&] { return phase() == "Ready"; });
  const auto second =
      running.links().of(running.stores().clusters().find({"default", "c"})->metadata);
  EXPECT_NE(first, second);
}

}  // namespace
}  // namespace slurmop::process
