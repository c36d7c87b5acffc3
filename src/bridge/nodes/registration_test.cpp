// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/registration.h"

#include "bridge/testing/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace bridge::nodes {
namespace {

using namespace testing;
using kube::Node;
using ::testing::ElementsAre;

constexpr const char* kRemoving = "slurm-bridge: slurm-bridge: removing external node s1";

TEST(NodeMarks, AreReadBackAndNothingElseIs) {
  EXPECT_EQ(read_mark(mark_text(kMark)), kMark);
  for (const char* other : {"",
                            "rack 3",
                            "{}",
                            "{\"slurm-bridge\":1}",
                            "{\"slurm-bridge\":{}}",
                            "{\"slurm-bridge\":{\"cluster\":7}}",
                            "{"})
    EXPECT_FALSE(read_mark(other)) << other;
}

RC_GTEST_PROP(NodeMarks, AnyCommentIsReadAndOnlyAMarkIsAMark, (const std::string& any)) {
  RC_ASSERT(!read_mark(any));
  (void)read_mark("{\"slurm-bridge\":" + any);
}

TEST(Registration, HasTheResourcesOfTheNode) {
  Node node = labelled_node();
  node.metadata.annotations[workload::kExternalNodePartitions] = " gpu, ,slurm-bridge,";
  node.metadata.annotations[workload::kTopologySpec] = "topo-switch:s2";
  node.status.addresses = {{"Hostname", "k8s-1"}, {"InternalIP", "10.0.0.7"}};
  const auto wanted = registration_of(node, {}, slurm::SlurmNodeName("s1"), "cluster-1");
  ASSERT_TRUE(wanted.ok()) << wanted.error().message();
  EXPECT_EQ(*slurm::new_node_body(wanted->node),
            R"({"node_conf":"NodeName=s1 Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 CPUs=16 )"
            R"(RealMemory=65536 Feature=gpu,slurm-bridge Topology=topo-switch:s2 )"
            R"(NodeAddr=10.0.0.7 State=EXTERNAL"})");
  EXPECT_EQ(wanted->mark, kMark);
}

TEST(Registration, WaitsForANodeToSayHowLargeItIs) {
  for (const char* resource : {"cpu", "memory"}) {
    Node node = labelled_node();
    node.status.capacity.erase(resource);
    const auto wanted = registration_of(node, {}, slurm::SlurmNodeName("s1"), "cluster-1");
    ASSERT_FALSE(wanted.ok());
    EXPECT_TRUE(wanted.error().message().contains(resource));
    EXPECT_EQ(steps_text(facts_of(&node, nullptr)), "report NotRegisteredInSlurm");
  }
}

TEST(Registration, ALabelledNodeIsMadeWhenItCanTakeWork) {
  Node node = labelled_node();
  EXPECT_EQ(steps_text(facts_of(&node, nullptr)), "register s1");
  node.spec.unschedulable = true;
  EXPECT_EQ(steps_text(facts_of(&node, nullptr)), "");
}

struct Row {
  const char* what;
  const Node* kube;
  slurm::Node slurm;
  const char* want;
};

TEST(Registration, ANodeWithoutTheLabelLeavesOnceItIsIdleIfWeMadeIt) {
  const Node plain = kube_node();
  slurm::Node anothers = made_node();
  anothers.comment = mark_text({"cluster-2", "k8s-1", 16, 65536});
  slurm::Node unmarked = made_node();
  unmarked.comment = "rack 3";
  const Row kRows[] = {
      {"idle", &plain, made_node(), "drain slurm-bridge: slurm-bridge: removing external node s1"},
      {"busy",
       &plain,
       made_node({"MIXED"}),
       "drain slurm-bridge: slurm-bridge: removing external node s1"},
      {"busy, drained by us", &plain, made_node({"MIXED", "DRAIN"}, kRemoving), ""},
      {"completing", &plain, made_node({"IDLE", "COMPLETING", "DRAIN"}, kRemoving), ""},
      {"idle, drained by us", &plain, made_node({"IDLE", "DRAIN"}, kRemoving), "remove"},
      {"idle, an administrator removes our drain",
       &plain,
       made_node({"IDLE", "DRAIN", "UNDRAIN"}, kRemoving),
       "drain slurm-bridge: slurm-bridge: removing external node s1"},
      {"the Kubernetes node was deleted too",
       nullptr,
       made_node({"IDLE", "DRAIN"}, kRemoving),
       "remove"},
      {"the Kubernetes node was deleted",
       nullptr,
       made_node(),
       "drain slurm-bridge: slurm-bridge: removing external node s1"},
      {"in slurm.conf", &plain, slurm_node(), ""},
      {"another cluster's", &plain, anothers, "report SlurmNodeTaken"},
      {"another cluster's, not here", nullptr, anothers, ""},
      {"created by an administrator", &plain, unmarked, ""},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(steps_text(facts_of(row.kube, &row.slurm)), row.want) << row.what;
  // The label is set again before the node was removed.
  const Node again = labelled_node();
  const slurm::Node leaving = made_node({"IDLE", "DRAIN"}, kRemoving);
  EXPECT_EQ(steps_text(facts_of(&again, &leaving)), "undrain");
}

TEST(Registration, ANodeThatTheReferenceMadeIsTakenOver) {
  const Node node = labelled_node();
  slurm::Node theirs = made_node();
  theirs.comment.clear();
  EXPECT_EQ(steps_text(facts_of(&node, &theirs)), "mark");
  const Node plain = kube_node();
  EXPECT_EQ(steps_text(facts_of(&plain, &theirs)), "");
  theirs.comment = "rack 3";  // not ours
  EXPECT_EQ(steps_text(facts_of(&node, &theirs)), "");
  const slurm::Node fixed = slurm_node();
  EXPECT_EQ(steps_text(facts_of(&node, &fixed)), "");
}

TEST(Registration, ANodeWhoseSizeChangedIsCreatedAgainOnceItIsIdle) {
  Node node = labelled_node();
  node.status.capacity["cpu"] = base::Quantity::units(32);
  const char* why =
      "slurm-bridge: Kubernetes node (k8s-1) has other resources now, to be registered again";
  const Row kRows[] = {
      {"busy",
       &node,
       made_node({"MIXED"}),
       "drain slurm-bridge: Kubernetes node (k8s-1) has other resources now, to be registered "
       "again"},
      {"busy, drained by us", &node, made_node({"ALLOCATED", "DRAIN"}, why), ""},
      {"idle, drained by us", &node, made_node({"IDLE", "DRAIN"}, why), "remove"},
      {"drained by an administrator: their drain would be lost",
       &node,
       made_node({"IDLE", "DRAIN"}, "fan"),
       "cordon fan"},
      {"in slurm.conf", &node, slurm_node(), ""},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(steps_text(facts_of(row.kube, &row.slurm)), row.want) << row.what;
}

TEST(Registration, ComparesWithWhatWasRegisteredNotWithWhatSlurmMakesOfIt) {
  const Node node = labelled_node();
  slurm::Node fewer = made_node();
  fewer.cpus = 12;  // the reference omits efficiency cores
  EXPECT_EQ(steps_text(facts_of(&node, &fewer)), "");
}

// --- devices ---

NodeDevices two_gpus() {
  NodeDevices devices;
  devices.gres = "gpu:gpu.nvidia.com:2";
  devices.gres_conf = "count=2,name=gpu,type=gpu.nvidia.com,file=gpu-0,file=gpu-1";
  return devices;
}
constexpr const char* kOthers =
    "drain slurm-bridge: Kubernetes node (k8s-1) has other resources now, to be registered again";
const std::string kRenewed = std::string(kOthers).substr(6);

// A node that we created with these devices, as Slurm shows it.
slurm::Node made_with(const NodeDevices& devices,
                      std::vector<std::string> states = {"IDLE"},
                      std::string reason = "") {
  slurm::Node node = made_node(std::move(states), std::move(reason));
  NodeMark mark = kMark;
  mark.devices = devices.text();
  node.comment = mark_text(mark);
  node.gres = devices.gres;
  return node;
}

NodeFacts facts_with(const NodeDevices& devices, const Node& kube, const slurm::Node* slurm) {
  NodeFacts facts = facts_of(&kube, slurm);
  facts.devices.devices = devices;
  return facts;
}

TEST(RegisteredDevices, AreWrittenAsTheReferenceWritesThem) {
  NodeDevices devices = two_gpus();
  devices.cores = {6, 2};
  const auto wanted =
      registration_of(labelled_node(), devices, slurm::SlurmNodeName("s1"), "cluster-1");
  ASSERT_TRUE(wanted.ok());
  EXPECT_EQ(*slurm::new_node_body(wanted->node),
            R"({"node_conf":"NodeName=s1 Sockets=1 CoresPerSocket=6 ThreadsPerCore=2 CPUs=12 )"
            R"(RealMemory=65536 Gres=gpu:gpu.nvidia.com:2 GresConf=\"count=2,name=gpu,)"
            R"(type=gpu.nvidia.com,file=gpu-0,file=gpu-1\" State=EXTERNAL"})");
  EXPECT_EQ(read_mark(mark_text(wanted->mark)), wanted->mark);
}

TEST(RegisteredDevices, ANodeIsNotMadeBeforeTheyAreKnown) {
  const Node node = labelled_node();
  NodeFacts facts = facts_of(&node, nullptr);
  facts.devices.known = DeviceFacts::Known::not_yet;
  EXPECT_EQ(steps_text(facts), "");
  facts.devices.missing = "driver x has published 1 of 2 ResourceSlices of its pool y";
  EXPECT_EQ(steps_text(facts), "report NotRegisteredInSlurm");
  facts.devices.known = DeviceFacts::Known::never;
  EXPECT_EQ(steps_text(facts), "register s1");
}

TEST(RegisteredDevices, ANodeWithOtherDevicesIsCreatedAgainOnceItIsIdle) {
  const Node node = labelled_node();
  const slurm::Node none = made_node();
  EXPECT_EQ(steps_text(facts_with(two_gpus(), node, &none)), kOthers);
  const slurm::Node busy = made_node({"MIXED", "DRAIN"}, kRenewed);
  EXPECT_EQ(steps_text(facts_with(two_gpus(), node, &busy)), "");
  const slurm::Node idle = made_node({"IDLE", "DRAIN"}, kRenewed);
  EXPECT_EQ(steps_text(facts_with(two_gpus(), node, &idle)), "remove");
  const slurm::Node same = made_with(two_gpus());
  EXPECT_EQ(steps_text(facts_with(two_gpus(), node, &same)), "");
  EXPECT_EQ(steps_text(facts_with({}, node, &same)), kOthers);
}

TEST(RegisteredDevices, ThatComeAndGoDrainTheNodeAndRemoveItOnlyIfTheyStayAway) {
  const Node node = labelled_node();
  const slurm::Node drained = made_with(two_gpus(), {"IDLE", "DRAIN"}, kRenewed);
  NodeDevices one_gpu = two_gpus();
  one_gpu.gres = "gpu:gpu.nvidia.com:1";
  one_gpu.gres_conf = "count=1,name=gpu,type=gpu.nvidia.com,file=gpu-0";
  const struct {
    NodeDevices now;
    std::chrono::seconds wait;
  } kRows[] = {{one_gpu, std::chrono::seconds(10)},
               {{}, std::chrono::minutes(5)}};  // all of them: its driver may only be unavailable
  for (const auto& [now, wait] : kRows) {
    NodeFacts facts = facts_with(now, node, &drained);
    facts.devices.unchanged_for = std::chrono::seconds(4);
    EXPECT_EQ(steps_text(facts), "");
    EXPECT_EQ(next_node_steps(facts).look_again, wait - std::chrono::seconds(4));
    facts.devices.unchanged_for = wait;
    EXPECT_EQ(steps_text(facts), "remove");
  }
  // They are back before the node was removed.
  EXPECT_EQ(steps_text(facts_with(two_gpus(), node, &drained)), "undrain");
}

TEST(RegisteredDevices, NothingIsConcludedWhereTheyCannotBeRead) {
  const Node node = labelled_node();
  const slurm::Node made = made_with(two_gpus());
  for (const auto known : {DeviceFacts::Known::not_yet, DeviceFacts::Known::never}) {
    NodeFacts facts = facts_of(&node, &made);
    facts.devices.known = known;
    EXPECT_EQ(steps_text(facts), "");
  }
}

TEST(RegisteredDevices, ThatSlurmDidNotTakeAreReportedAndNotTriedAgain) {
  const Node node = labelled_node();
  slurm::Node without = made_with(two_gpus());
  without.gres.clear();  // not in GresTypes: Slurm ignores them silently
  EXPECT_EQ(steps_text(facts_with(two_gpus(), node, &without)), "report DevicesUnknownInSlurm");
}

TEST(RegisteredDevices, ANodeThatIsTakenOverGetsThemUnlessNoDriverPublishesAny) {
  const Node node = labelled_node();
  slurm::Node theirs = made_node();
  theirs.comment.clear();
  theirs.gres = "gpu:a100:4";  // by hand, for a device plugin
  EXPECT_EQ(steps_text(facts_with({}, node, &theirs)), "mark");
  const auto marked = [&](const NodeDevices& devices) {
    const NodeSteps next = next_node_steps(facts_with(devices, node, &theirs));
    return std::get<MarkNode>(next.steps.at(0)).mark.devices;
  };
  EXPECT_EQ(marked({}), "");
  EXPECT_EQ(marked(two_gpus()), "");  // so it is created again
  theirs.gres = "gpu:gpu.nvidia.com:2";
  EXPECT_EQ(marked(two_gpus()), two_gpus().text());
}

TEST(RegisteredDevices, ANodeIsTakenOverWithThemAndNotCreatedAgainForThem) {
  const Node node = labelled_node();
  slurm::Node theirs = made_with(two_gpus());
  theirs.comment.clear();
  NodeFacts facts = facts_with({}, node, &theirs);
  facts.devices.known = DeviceFacts::Known::not_yet;
  EXPECT_EQ(steps_text(facts), "") << "its devices are not known yet";
  facts.devices.known = DeviceFacts::Known::never;
  EXPECT_EQ(steps_text(facts), "mark");
  // Marked when the devices were not readable, and now they are.
  theirs.comment = mark_text(kMark);
  EXPECT_EQ(steps_text(facts), "");
  const NodeSteps next = next_node_steps(facts_with(two_gpus(), node, &theirs));
  ASSERT_EQ(steps_text(facts_with(two_gpus(), node, &theirs)), "mark");
  EXPECT_EQ(std::get<MarkNode>(next.steps.at(0)).mark.devices, two_gpus().text());
}

TEST(Registration, FeaturesAndTopologyFollowTheAnnotations) {
  Node node = labelled_node();
  slurm::Node known = made_node();
  known.features = {"b", "a"};
  node.metadata.annotations[workload::kExternalNodePartitions] = "a,b";
  EXPECT_EQ(steps_text(facts_of(&node, &known)), "");
  node.metadata.annotations[workload::kExternalNodePartitions] = "a";
  EXPECT_EQ(steps_text(facts_of(&node, &known)), "features a");
  node.metadata.annotations.erase(workload::kExternalNodePartitions);
  EXPECT_EQ(steps_text(facts_of(&node, &known)), "");  // has no annotations for them
  known.topology = "topo-switch:s1";
  EXPECT_EQ(steps_text(facts_of(&node, &known)), "topology ");
  node.metadata.annotations[workload::kTopologySpec] = "topo-switch:s2";
  EXPECT_EQ(steps_text(facts_of(&node, &known)), "topology topo-switch:s2");
  // The place in slurm.conf is not cleared because of a missing annotation.
  slurm::Node fixed = slurm_node();
  fixed.topology = "topo-switch:s1";
  node.metadata.annotations.erase(workload::kTopologySpec);
  EXPECT_EQ(steps_text(facts_of(&node, &fixed)), "");
}

TEST(Registration, ANodeThatIsCreatedAgainKeepsItsTaint) {
  Node node = labelled_node();
  node.spec.taints = {managed_taint("slurm-bridge-scheduler")};
  NodeFacts facts = facts_of(&node, nullptr);
  facts.options.taint = true;
  EXPECT_EQ(steps_text(facts), "register s1");
}

}  // namespace
}  // namespace bridge::nodes
