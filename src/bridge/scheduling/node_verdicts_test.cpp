// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/node_verdicts.h"

#include "bridge/marks/job_claim.h"
#include "bridge/testing/scheduling.h"
#include "net/async/task_group.h"
#include "slurm/testing/fake_slurm.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bridge::scheduling {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr int kNodes = 500;

// 500 nodes that exist in both systems, with virtual time.
struct NodeVerdictsTest : ::testing::Test {
  NodeVerdictsTest() {
    group.spawn("slurm nodes", slurm_nodes.run());
    group.spawn("verdicts", verdicts.run());
    verdicts.on_fit([this](const kube::ObjectKey& pod) { fit.insert(pod.name); });
    for (int i = 0; i < kNodes; ++i) see_node(i, {});
    pass(1s);
  }
  ~NodeVerdictsTest() override {
    group.cancel();
    pass({});
  }

  void pass(base::Duration time) { loop.run_virtual(clock, clock.now() + time); }

  static std::string name(int node) { return fmt::format("n{:03}", node); }

  struct Seen {
    std::string disk = "hdd";
    std::string heartbeat = "1";
  };
  void see_node(int node, const Seen& seen) {
    const json::Object object{
        {"metadata",
         json::Object{{"name", name(node)},
                      {"uid", "u-" + name(node)},
                      {"resourceVersion", std::to_string(++version)},
                      {"labels", json::Object{{"disk", seen.disk}}}}},
        {"spec", json::Object{}},
        {"status",
         json::Object{{"allocatable", json::Object{{"cpu", "8"}, {"memory", "64Gi"}}},
                      {"conditions",
                       json::Array{json::Object{{"type", "Ready"},
                                                {"status", "True"},
                                                {"lastTransitionTime", seen.heartbeat}}}}}}};
    json::Parser parser;
    const std::string text = json::Value(object).dump();
    cluster.nodes().changed(*parser.parse(text));
  }

  static PlacementRequest wants(const std::string& pod, const std::string& disk) {
    kube::Pod built = testing::a_pod();
    built.metadata.name = pod;
    built.metadata.uid = kube::Uid("u-" + pod);
    built.spec.nodeSelector["disk"] = disk;
    return {std::make_shared<const kube::Pod>(std::move(built)), "main", {}, {}};
  }
  // Requests the verdict in a separate task.
  void ask(PlacementRequest request) { group.spawn("ask", asked(std::move(request))); }
  net::Task<void> asked(PlacementRequest request) {
    auto verdict = co_await verdicts.of(std::move(request));
    if (verdict.ok()) answers.push_back(*std::move(verdict));
  }
  net::Task<void> count_turns(bool& stop, std::size_t& turns) {
    while (!stop && (co_await loop.sleep_for({})).ok()) ++turns;
  }

  static slurm::testing::ScriptedTransport::Reply reply() {
    json::Array nodes;
    for (int i = 0; i < kNodes; ++i) {
      nodes.push_back(json::Object{
          {"name", name(i)}, {"state", json::Array{"IDLE"}}, {"partitions", json::Array{"main"}}});
    }
    const json::Object body{
        {"nodes", nodes}, {"last_update", json::Object{{"number", 1}}}, {"errors", json::Array{}}};
    return {slurm::testing::answer(200, json::Value(body).dump())};
  }

  base::VirtualClock clock;
  net::Loop loop{clock, 7};
  slurm::testing::ScriptedTransport transport{loop,
                                              [](const net::http::Request&) { return reply(); }};
  slurm::TokenSource tokens = slurm::TokenSource::fixed(base::Secret("t"));
  slurm::Client client{loop, transport, tokens};
  slurm::Mirror mirror{loop, client, {}, [](std::string_view comment) {
                         return marks::may_be_ours(comment, testing::kBridge);
                       }};
  slurm::NodeMirror slurm_nodes{loop, client, {}, [] { return true; }};
  state::ClusterState cluster{mirror, slurm_nodes, testing::kBridge};
  NodeVerdicts verdicts{loop, cluster};
  std::vector<NodeVerdicts::Verdict> answers;
  std::set<std::string> fit;
  int version = 0;
  net::TaskGroup group{loop};
};

TEST_F(NodeVerdictsTest, TwoThousandPodsThatFitNoNodeAreEvaluatedOncePerShapeAndNodeGeneration) {
  const auto ask_all = [&] {
    answers.clear();
    for (int i = 0; i < 2000; ++i) ask(wants(fmt::format("p{}", i), i % 2 == 0 ? "ssd" : "tape"));
    pass(1s);
  };
  ask_all();
  ASSERT_THAT(answers, SizeIs(2000));
  EXPECT_TRUE(answers[0]->fits_none);
  EXPECT_EQ(answers[0]->why, "500 nodes: nodeSelector requires disk=ssd");
  EXPECT_THAT(answers[0]->excluded, IsEmpty());
  EXPECT_EQ(verdicts.evaluations(), 2U);

  pass(10min);
  ask_all();
  for (int i = 0; i < kNodes; ++i) see_node(i, {.heartbeat = "2"});
  pass(1min);
  ask_all();
  EXPECT_EQ(verdicts.evaluations(), 2U) << "no relevant change of the nodes";
  EXPECT_THAT(fit, IsEmpty());

  see_node(3, {.disk = "nvme"});
  see_node(4, {.disk = "ssd"});
  pass(1s);
  EXPECT_EQ(verdicts.evaluations(), 4U);
  EXPECT_THAT(fit, SizeIs(1000)) << "the pods that require disk=ssd";
  EXPECT_TRUE(fit.contains("p0"));
  pass(10min);
  EXPECT_EQ(verdicts.evaluations(), 4U);
}

TEST_F(NodeVerdictsTest, ConcurrentRequestsShareOneEvaluation) {
  for (int i = 0; i < 32; ++i) ask(wants(fmt::format("p{}", i), "hdd"));
  pass(1s);
  ASSERT_THAT(answers, SizeIs(32));
  EXPECT_FALSE(answers[0]->fits_none);
  EXPECT_EQ(verdicts.evaluations(), 1U);
}

TEST_F(NodeVerdictsTest, ALongEvaluationLetsOtherTasksRun) {
  bool stop = false;
  std::size_t turns = 0;
  group.spawn("others", count_turns(stop, turns));
  group.spawn("ask", [&]() -> net::Task<void> {
    const std::size_t before = turns;
    co_await asked(wants("p", "ssd"));
    turns -= before;
    stop = true;
  });
  pass(1s);
  EXPECT_THAT(answers, SizeIs(1));
  EXPECT_GE(turns, kNodes / NodeVerdicts::kNodesAtOnce - 1);
}

TEST_F(NodeVerdictsTest, AForgottenPodIsNotReported) {
  ask(wants("gone", "ssd"));
  ask(wants("here", "ssd"));
  pass(1s);
  verdicts.forget({"a", "gone"});
  see_node(4, {.disk = "ssd"});
  pass(1s);
  EXPECT_EQ(fit, std::set<std::string>{"here"});
}

TEST_F(NodeVerdictsTest, AChangeRightAfterTheVerdictIsNotMissed) {
  ask(wants("p", "ssd"));
  pass({});
  see_node(4, {.disk = "ssd"});
  pass(2s);
  EXPECT_EQ(fit, std::set<std::string>{"p"});
}

}  // namespace
}  // namespace bridge::scheduling
