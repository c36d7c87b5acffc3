// SPDX-License-Identifier: Apache-2.0
#include "operator/process/executor.h"

#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using base::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using workers::DrainNode;

struct ExecutorTest : testing::StoresTest {
  ExecutorTest() {
    world.add_cluster("a");
    world.daemons.nodes["worker-0"] = {};
    fill();
    world.work.spawn("events", events.run());
    world.server.on_write([this](const models::kube::ObjectWrite& write) {
      order.push_back(fmt::format("{} {}", write.verb, write.object.plural));
    });
  }
  ~ExecutorTest() override { world.finish(); }

  json::Object object(const char* kind, const std::string& name) const {
    const auto text = fmt::format(
        R"({{"apiVersion":"v1","kind":"{}","metadata":{{"name":"{}","namespace":"default",{},
             "ownerReferences":[{{"apiVersion":"slurm.nebius.ai/v1","kind":"SlurmCluster","name":"a",
             "uid":"{}","controller":true}}]}}}})",
        kind,
        name,
        world.labels("a", "worker"),
        world.ref("a").uid);
    return *json::parse(text)->as_object();
  }
  plan::CreateWorker pod(const std::string& name) const {
    json::Object whole = object("Pod", name);
    whole.set("spec", *json::parse(R"({"containers":[{"name":"c","image":"i:1"}]})"));
    return {std::move(whole)};
  }
  static parts::SecretOrder secret() {
    return {"key",
            parts::SecretOrder::Content::random_bytes,
            "k",
            32,
            {{"name", "key"}, {"namespace", "default"}}};
  }
  workers::SlurmView seen() const {
    workers::SlurmKnown known;
    for (const auto& [name, fake] : world.daemons.nodes) known.nodes[name].states = fake.states;
    return known;
  }
  static plan::Plan with(std::vector<json::Object> objects) {
    plan::Plan plan;
    plan.objects = std::move(objects);
    return plan;
  }
  base::Result<PassOutcome> execute(plan::Plan plan, workers::SlurmView view) {
    const Pass pass{world.ref("a"), std::move(plan), std::move(view)};
    return world.run(executor.execute(pass, {client, [this] { ++slurm_changes; }}));
  }

  testing::FakeEndpoints endpoints{world.loop, world.daemons};
  slurm::TokenSource token = slurm::TokenSource::fixed(base::Secret("t"));
  slurm::Client client{world.loop, endpoints.transport, token};
  kube::Events events{world.loop, world.client, {"slurm-operator", "test"}, base::Log()};
  Executor executor{world.access, stores, events};
  std::vector<std::string> order;
  int slurm_changes = 0;
};

TEST_F(ExecutorTest, APlanIsExecutedInItsOrder) {
  ASSERT_TRUE(execute(with({object("ConfigMap", "old")}), seen()).ok());
  settle_down();
  order.clear();
  plan::Plan plan;
  plan.secrets = {secret()};
  plan.objects = {object("ConfigMap", "new")};
  plan.prune = true;
  plan.slurm = {DrainNode{"worker-0", "slurm-operator: x"}};
  plan.pods = {pod("worker-1")};
  plan.status = {{"phase", "Ready"}};
  const auto outcome = execute(std::move(plan), seen());
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_THAT(order,
              ElementsAre("create secrets",
                          "create configmaps",
                          "create pods",
                          "delete configmaps",
                          "patch slurmclusters"));
  EXPECT_THAT(world.daemons.changes, ElementsAre("DRAIN worker-0"));
  EXPECT_EQ(slurm_changes, 1);
}

TEST_F(ExecutorTest, AnEmptyPlanWritesNothingAndAsksSlurmNothing) {
  ASSERT_TRUE(execute({}, workers::SlurmUnknown{"why"}).ok());
  settle_down();
  order.clear();
  ASSERT_TRUE(execute({}, workers::SlurmUnknown{"why"}).ok());
  settle_down();
  EXPECT_THAT(order, IsEmpty());
  EXPECT_TRUE(endpoints.transport.calls.empty());
}

TEST_F(ExecutorTest, AFailedStepInSlurmKeepsPodsFromChangingButNotTheStatus) {
  world.daemons.refused_node = "worker-0";
  plan::Plan plan;
  plan.slurm = {DrainNode{"worker-0", "slurm-operator: x"}};
  plan.pods = {pod("worker-1")};
  plan.status = {{"phase", "Degraded"}};
  const auto outcome = execute(std::move(plan), seen());
  ASSERT_TRUE(outcome.ok());
  ASSERT_TRUE(outcome->failed_step.has_value());
  EXPECT_THAT(outcome->failed_step->message(), HasSubstr("drain Slurm node worker-0"));
  EXPECT_FALSE(world.exists("pods", "worker-1"));
  EXPECT_EQ(world.text("slurmclusters", "a", {"status", "phase"}), "Degraded");
}

TEST_F(ExecutorTest, NothingIsPrunedUnlessThePlanSaysSo) {
  ASSERT_TRUE(execute(with({object("ConfigMap", "m")}), seen()).ok());
  settle_down();
  ASSERT_TRUE(execute({}, seen()).ok());
  EXPECT_TRUE(world.exists("configmaps", "m"));
  plan::Plan plan;
  plan.prune = true;
  ASSERT_TRUE(execute(std::move(plan), seen()).ok());
  EXPECT_FALSE(world.exists("configmaps", "m"));
}

TEST_F(ExecutorTest, ADeletedPodIsReportedInAnEventWithItsReason) {
  world.add_pod("worker-0", "a", "worker");
  settle_down();
  const auto live = stores.pods().find({"default", "worker-0"});
  plan::Plan plan;
  plan.pods = {workers::DeletePod{{"default", "worker-0"},
                                  live->metadata.uid,
                                  live->metadata.resourceVersion,
                                  "Slurm shows it drained and without jobs"}};
  ASSERT_TRUE(execute(std::move(plan), seen()).ok());
  EXPECT_FALSE(world.exists("pods", "worker-0"));
  settle_down();
  const auto written = world.server.all("events");
  ASSERT_EQ(written.size(), 1U);
  EXPECT_THAT(models::kube::text_at(*written[0], {"message"}),
              HasSubstr("worker-0: Slurm shows it drained"));
  EXPECT_EQ(models::kube::text_at(*written[0], {"involvedObject", "kind"}), "SlurmCluster");
}

TEST_F(ExecutorTest, FailuresOfAllPartsAreCollected) {
  plan::Plan plan;
  plan.objects = {object("ConfigMap", "Bad_Name"), object("Gadget", "g")};
  const auto outcome = execute(std::move(plan), seen());
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->failures.size(), 2U);
}

}  // namespace
}  // namespace slurmop::process
