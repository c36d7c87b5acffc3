// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/node_change.h"

#include "json/value.h"
#include "slurm/testing/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace slurm::inline api {
namespace {

using base::Kind;
using ::testing::HasSubstr;
using testing::sample;

TEST(NodeChangeBody, HasTheStateAndForADrainTheReason) {
  EXPECT_EQ(*node_change_body(Drain{"kubernetes: cordoned"}),
            R"({"state":["DRAIN"],"reason":"kubernetes: cordoned"})");
  EXPECT_EQ(*node_change_body(Undrain{}), R"({"state":["UNDRAIN"]})");
  EXPECT_EQ(*node_change_body(Resume{}), R"({"state":["RESUME"]})");
  EXPECT_TRUE(node_change_body(Drain{}).error().is(Kind::invalid));
  EXPECT_EQ(*node_change_body(Down{"node lost"}), R"({"state":["DOWN"],"reason":"node lost"})");
  EXPECT_TRUE(node_change_body(Down{}).error().is(Kind::invalid));
}

TEST(NodeChangeBody, HasFeaturesTopologyAndComment) {
  EXPECT_EQ(*node_change_body(SetFeatures{{"gpu", "k8s"}}),
            R"({"features":["gpu","k8s"],"features_act":["gpu","k8s"]})");
  EXPECT_EQ(*node_change_body(SetTopology{"topo-switch:s2,topo-block:b2"}),
            R"({"topology_str":"topo-switch:s2,topo-block:b2"})");
  EXPECT_EQ(*node_change_body(SetTopology{}), R"({"topology_str":""})");
  EXPECT_EQ(*node_change_body(SetComment{"a \"b\""}), R"({"comment":"a \"b\""})");
  EXPECT_TRUE(node_change_body(SetFeatures{{"a,b"}}).error().is(Kind::invalid));
  EXPECT_TRUE(node_change_body(SetFeatures{{"a b"}}).error().is(Kind::invalid));
  EXPECT_TRUE(node_change_body(SetTopology{"a\nb"}).error().is(Kind::invalid));
}

NewNode gpu_node() {
  NewNode node;
  node.name = SlurmNodeName("dyn1");
  node.cores = 16;
  node.memory_mib = 65536;
  node.gres = "gpu:a100:4";
  node.gres_conf = "count=4,name=gpu,type=a100,file=/dev/nvidia[0-3]";
  node.features = {"k8s", "gpu"};
  node.topology = "topo-switch:s2";
  node.address = "127.0.0.1";
  node.port = 6818;
  return node;
}

TEST(NewNodeBody, IsALineOfSlurmsConfiguration) {
  EXPECT_EQ(*new_node_body(gpu_node()),
            R"({"node_conf":"NodeName=dyn1 Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 CPUs=16 )"
            R"(RealMemory=65536 Gres=gpu:a100:4 )"
            R"(GresConf=\"count=4,name=gpu,type=a100,file=/dev/nvidia[0-3]\" Feature=k8s,gpu )"
            R"(Topology=topo-switch:s2 NodeAddr=127.0.0.1 Port=6818 State=EXTERNAL"})");
}

TEST(NewNodeBody, LeavesOutWhatIsNotThere) {
  NewNode node;
  node.name = SlurmNodeName("n1");
  EXPECT_EQ(*new_node_body(node),
            R"({"node_conf":"NodeName=n1 Sockets=1 CoresPerSocket=1 ThreadsPerCore=1 CPUs=1 )"
            R"(RealMemory=1 State=EXTERNAL"})");
}

TEST(NewNodeBody, RefusesWhatSlurmWouldReadAsSomethingElse) {
  const auto refused = [](auto change) {
    NewNode node = gpu_node();
    change(node);
    const auto body = new_node_body(node);
    return !body.ok() && body.error().is(Kind::invalid);
  };
  EXPECT_TRUE(refused([](NewNode& n) { n.name = SlurmNodeName(""); }));
  EXPECT_TRUE(refused([](NewNode& n) { n.name = SlurmNodeName("n[1-9]"); }));
  EXPECT_TRUE(refused([](NewNode& n) { n.name = SlurmNodeName("n State=DOWN"); }));
  EXPECT_TRUE(refused([](NewNode& n) { n.features = {"a b"}; }));
  EXPECT_TRUE(refused([](NewNode& n) { n.features = {"a,b"}; }));
  EXPECT_TRUE(refused([](NewNode& n) { n.address = "1\nNodeName=x"; }));
  EXPECT_TRUE(refused([](NewNode& n) { n.gres_conf = "a=\" b"; }));
  EXPECT_TRUE(refused([](NewNode& n) { n.gres_conf.clear(); }));
}

RC_GTEST_PROP(NewNodeBody, NoValueOpensAnotherKey, (const std::string& any)) {
  NewNode node = gpu_node();
  node.features = {any};
  node.address = any;
  const auto body = new_node_body(node);
  if (!body.ok()) return;
  const auto sent = json::parse(*body);
  const std::string& line = *sent->find("node_conf")->as_string();
  const auto words = std::ranges::count(line, ' ') + 1;
  RC_ASSERT(words == 13 - (any.empty() ? 2 : 0));
}

TEST(NodeChanged, ReadsTheRealAnswers) {
  for (const char* fine : {"node-drain", "node-undrain", "node-down", "new-node", "delete-node"}) {
    EXPECT_TRUE(node_changed(sample(fine)).ok()) << fine;
  }
  const struct {
    const char* sample;
    Kind kind;
    int code;
  } kRows[] = {
      {"err-node-resume-healthy", Kind::conflict, 2180},
      {"err-node-update-as-user", Kind::forbidden, 2010},
      {"err-node-update-unknown", Kind::not_found, 2018},
      {"err-new-node-exists", Kind::conflict, 2168},
      {"err-new-node-bad", Kind::unavailable, -1},
      {"err-delete-node-busy", Kind::unavailable, 2016},
      {"err-delete-node-unknown", Kind::not_found, 2018},
      {"err-delete-node-real", Kind::refused, 2028},
      {"err-node-unknown", Kind::unavailable, 0},  // a 200 with an error that says "No error"
  };
  for (const auto& row : kRows) {
    const auto outcome = node_changed(sample(row.sample));
    ASSERT_FALSE(outcome.ok()) << row.sample;
    EXPECT_EQ(outcome.error().kind(), row.kind) << row.sample << outcome.error().to_string();
    EXPECT_EQ(outcome.error().code(), row.code) << row.sample;
  }
}

}  // namespace
}  // namespace slurm::inline api
