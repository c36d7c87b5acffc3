// SPDX-License-Identifier: Apache-2.0
#include "operator/process/pod_writer.h"

#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using base::Kind;
using plan::CreateWorker;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using workers::DeletePod;

// The watches have not begun.
struct UnwatchedPodWriterTest : testing::StoresTest {
  UnwatchedPodWriterTest() { world.add_cluster("a"); }
  CreateWorker pod(const std::string& name) const {
    const auto text = fmt::format(
        R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}","namespace":"default",{}}},
             "spec":{{"containers":[{{"name":"slurmd","image":"i:1"}}]}}}})",
        name,
        world.labels("a", "worker"));
    return {*json::parse(text)->as_object()};
  }
  DeletePod removal(const std::string& name) const {
    const auto live = stores.pods().find({"default", name});
    return {{"default", name}, live->metadata.uid, live->metadata.resourceVersion, "idle"};
  }
  base::Result<PodReport> execute(const std::vector<plan::PodAction>& actions,
                                  const NodesBeforeSteps* nodes = nullptr) {
    outcome = {};
    return world.run(writer.execute(world.ref("a"), actions, nodes, outcome));
  }

  PodWriter writer{world.access, stores};
  PassOutcome outcome;
};

struct PodWriterTest : UnwatchedPodWriterTest {
  PodWriterTest() { fill(); }
};

TEST_F(PodWriterTest, PodsAreCreatedAndDeleted) {
  ASSERT_TRUE(execute({pod("worker-0"), pod("worker-1")}).ok());
  settle_down();
  const auto report = execute({removal("worker-1")});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->deleted.size(), 1U);
  EXPECT_TRUE(world.exists("pods", "worker-0"));
  EXPECT_FALSE(world.exists("pods", "worker-1"));
}

TEST_F(PodWriterTest, TheClaimsOfAPodAreCreatedBeforeItAndKept) {
  plan::CreateWorker worker = pod("worker-0");
  const auto claim = [this](std::string_view size) -> json::Object {
    return *json::parse(
                fmt::format(
                    R"({{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{{"name":"spool-worker-0",
                     "namespace":"default",{}}},"spec":{{"resources":{{"requests":{{"storage":"{}"}}}}}}}})",
                    world.labels("a", "worker"),
                    size))
                ->as_object();
  };
  worker.claims = {claim("1Gi")};
  ASSERT_TRUE(execute({worker}).ok());
  EXPECT_TRUE(world.exists("persistentvolumeclaims", "spool-worker-0"));
  settle_down();
  worker.claims = {claim("2Gi")};
  ASSERT_TRUE(execute({worker}).ok());
  EXPECT_EQ(
      world.text(
          "persistentvolumeclaims", "spool-worker-0", {"spec", "resources", "requests", "storage"}),
      "1Gi");
}

TEST_F(UnwatchedPodWriterTest, NothingIsDoneUntilTheWatchHasShownOwnPods) {
  ASSERT_TRUE(execute({pod("worker-0")}).ok());
  const auto early = execute({pod("worker-0"), pod("worker-1")});
  ASSERT_TRUE(early.ok());
  EXPECT_FALSE(early->is_complete);
  EXPECT_FALSE(world.exists("pods", "worker-1"));
  fill();
  EXPECT_THAT(execute({pod("worker-1")})->created, ElementsAre("worker-1"));
}

TEST_F(PodWriterTest, AnExistingPodIsNotAnError) {
  world.add_pod("worker-0", "a", "worker");
  const auto report = execute({pod("worker-0"), pod("worker-1")});
  ASSERT_TRUE(report.ok());
  EXPECT_THAT(report->created, ElementsAre("worker-1"));
  EXPECT_THAT(outcome.failures, IsEmpty());
}

TEST_F(PodWriterTest, ARejectedPodIsReportedAndEndsTheCreates) {
  ASSERT_TRUE(execute({pod("Bad_Name"), pod("worker-1")}).ok());
  EXPECT_EQ(outcome.failures.size(), 1U);
  EXPECT_FALSE(world.exists("pods", "worker-1"));
}

TEST_F(PodWriterTest, APodOfAnotherVersionIsNotDeleted) {
  world.add_pod("worker-0", "a", "worker");
  settle_down();
  const DeletePod step = removal("worker-0");
  world.send("PATCH",
             "/api/v1/namespaces/default/pods/worker-0",
             R"({"metadata":{"annotations":{"x":"y"}}})");
  EXPECT_TRUE(execute({step}).error().is(Kind::conflict));
  EXPECT_TRUE(world.exists("pods", "worker-0"));
}

TEST_F(PodWriterTest, APodWhoseSlurmNodeChangedIsNotDeleted) {
  world.add_pod("worker-0", "a", "worker");
  world.add_pod("controller-0", "a", "controller");
  settle_down();
  NodesBeforeSteps nodes;
  nodes.planned["worker-0"].states = {"IDLE", "DRAIN"};
  nodes.now["worker-0"].states = {"ALLOCATED"};
  EXPECT_TRUE(execute({removal("worker-0")}, &nodes).error().is(Kind::conflict));
  EXPECT_TRUE(world.exists("pods", "worker-0"));
  EXPECT_TRUE(execute({removal("controller-0")}, &nodes).ok());
  EXPECT_FALSE(world.exists("pods", "controller-0"));
}

TEST_F(PodWriterTest, ManyPodsAreCreatedInSeveralPasses) {
  std::vector<plan::PodAction> actions;
  for (int i = 0; i < 150; ++i) actions.emplace_back(pod(fmt::format("worker-{}", i)));
  const auto first = execute(actions);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->created.size(), PodWriter::kMostCreates);
  EXPECT_FALSE(first->is_complete);
  settle_down();
  actions.erase(actions.begin(), actions.begin() + PodWriter::kMostCreates);
  EXPECT_TRUE(execute(actions)->is_complete);
}

}  // namespace
}  // namespace slurmop::process
