// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/sync.h"

#include "bridge/testing/nodes.h"

#include <gtest/gtest.h>

namespace bridge::nodes {
namespace {

using namespace testing;
using kube::Node;
using slurm::SlurmNodeName;
using std::chrono::seconds;

constexpr const char* kCordoned =
    "slurm-bridge: Corresponding Kubernetes node (k8s-1) is unschedulable";

Node cordoned() {
  Node node = kube_node();
  node.spec.unschedulable = true;
  return node;
}
// Cordoned by us, for this reason of Slurm.
Node cordoned_for(const std::string& reason) {
  Node node = cordoned();
  node.metadata.annotations[workload::kDrainReason] = reason;
  return node;
}
Node out_of_service() {
  Node node = kube_node();
  node.spec.taints.push_back({"node.kubernetes.io/out-of-service", "nodeshutdown", "NoExecute"});
  return node;
}
Node being_deleted() {
  Node node = kube_node();
  node.metadata.deletionTimestamp = "2026-11-15T12:00:00Z";
  return node;
}
Node override_of(const std::string& reason) {
  Node node = kube_node();
  node.metadata.annotations[workload::kDrainReason] = reason;
  return node;
}

// An administrator removed the cordon that we set for this reason, and that is recorded.
Node lifted(const std::string& reason) {
  Node node = kube_node();
  node.metadata.annotations[workload::kCordonLifted] = reason;
  return node;
}
Node lifted_then_cordoned(const std::string& reason) {
  Node node = lifted(reason);
  node.spec.unschedulable = true;
  return node;
}
// Both happened before we looked.
Node cordoned_again(const std::string& reason, const std::string& by) {
  Node node = cordoned_for(reason);
  node.cordoned_by = {by};
  return node;
}

struct Row {
  const char* what;
  Node kube;
  slurm::Node slurm;
  const char* want;
};

TEST(NodeSync, WhatKubernetesCannotUseIsDrainedAndTakenBackOnlyByUs) {
  const Row kRows[] = {
      {"all is well", kube_node(), slurm_node(), ""},
      {"cordoned",
       cordoned(),
       slurm_node(),
       "drain slurm-bridge: Corresponding Kubernetes node (k8s-1) is unschedulable"},
      {"not ready",
       kube_node("False"),
       slurm_node(),
       "drain slurm-bridge: Kubernetes node (k8s-1) is NotReady"},
      {"unreachable",
       kube_node("Unknown"),
       slurm_node(),
       "drain slurm-bridge: Kubernetes node (k8s-1) is unreachable"},
      {"out of service",
       out_of_service(),
       slurm_node(),
       "drain slurm-bridge: Kubernetes node (k8s-1) is out of service"},
      {"being deleted",
       being_deleted(),
       slurm_node(),
       "drain slurm-bridge: Kubernetes node (k8s-1) is being deleted"},
      {"busy: running jobs continue",
       cordoned(),
       slurm_node({"MIXED"}),
       "drain slurm-bridge: Corresponding Kubernetes node (k8s-1) is unschedulable"},
      {"cordoned and drained by us", cordoned(), slurm_node({"IDLE", "DRAIN"}, kCordoned), ""},
      {"cordoned and drained by an administrator",
       cordoned(),
       slurm_node({"IDLE", "DRAIN"}, "fan"),
       ""},
      {"cordoned and down", cordoned(), slurm_node({"DOWN"}, "dead"), ""},
      {"back, drained by us", kube_node(), slurm_node({"IDLE", "DRAIN"}, kCordoned), "undrain"},
      {"back, drained by the reference",
       kube_node(),
       slurm_node({"IDLE", "DRAIN"}, "slurm-bridge: x"),
       "undrain"},
      {"our drain was lost",
       cordoned(),
       slurm_node({"IDLE"}, kCordoned),
       "drain slurm-bridge: Corresponding Kubernetes node (k8s-1) is unschedulable"},
      {"our reason without a drain", kube_node(), slurm_node({"IDLE"}, kCordoned), ""},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(steps_text(facts_of(&row.kube, &row.slurm)), row.want) << row.what;
}

TEST(NodeSync, WhatSlurmDoesNotUseIsCordonedAndTakenBackOnlyIfOurs) {
  const Row kRows[] = {
      {"drained by an administrator",
       kube_node(),
       slurm_node({"IDLE", "DRAIN"}, "fan"),
       "cordon fan"},
      {"drained without a reason", kube_node(), slurm_node({"IDLE", "DRAIN"}), "cordon "},
      {"down", kube_node(), slurm_node({"DOWN"}, "dead"), "cordon dead"},
      {"cordoned by us", cordoned_for("fan"), slurm_node({"IDLE", "DRAIN"}, "fan"), ""},
      {"for another reason now",
       cordoned_for("fan"),
       slurm_node({"IDLE", "DRAIN"}, "disk"),
       "cordon disk"},
      {"resumed", cordoned_for("fan"), slurm_node(), "uncordon"},
      {"resumed, was without a reason", cordoned_for(""), slurm_node(), "uncordon"},
      {"a human's cordon", cordoned(), slurm_node({"IDLE", "DRAIN"}, "fan"), ""},
      {"an administrator removed ours",
       override_of("fan"),
       slurm_node({"IDLE", "DRAIN"}, "fan"),
       "note lifted fan"},
      {"that is recorded", lifted("fan"), slurm_node({"IDLE", "DRAIN"}, "fan"), ""},
      {"recorded, for another reason now",
       lifted("fan"),
       slurm_node({"IDLE", "DRAIN"}, "disk"),
       "note lifted disk"},
      {"an administrator removed ours, then resumed",
       override_of("fan"),
       slurm_node(),
       "forget cordon"},
      {"noted, then resumed", lifted("fan"), slurm_node(), "forget cordon"},
      {"an administrator removed ours and set their own",
       lifted_then_cordoned("fan"),
       slurm_node({"IDLE", "DRAIN"}, "fan"),
       ""},
      {"their own stays when Slurm resumes, and Slurm drains",
       lifted_then_cordoned("fan"),
       slurm_node(),
       "drain slurm-bridge: Corresponding Kubernetes node (k8s-1) is unschedulable; "
       "forget cordon"},
      {"both happened before we looked",
       cordoned_again("fan", "kubectl-cordon"),
       slurm_node({"IDLE", "DRAIN"}, "fan"),
       "note lifted fan"},
      {"both happened before we looked, then resumed",
       cordoned_again("fan", "kubectl-cordon"),
       slurm_node(),
       "drain slurm-bridge: Corresponding Kubernetes node (k8s-1) is unschedulable; "
       "forget cordon"},
      {"the API server records it as ours",
       cordoned_again("fan", "slurm-bridge"),
       slurm_node(),
       "uncordon"},
      {"the API server no longer records the manager",
       cordoned_again("fan", "ancient-changes"),
       slurm_node(),
       "uncordon"},
      {"our own drain is no reason",
       kube_node(),
       slurm_node({"IDLE", "DRAIN"}, kCordoned),
       "undrain"},
      {"not responding is no drain",
       kube_node(),
       slurm_node({"IDLE", "NOT_RESPONDING"}),
       "report NotRespondingInSlurm"},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(steps_text(facts_of(&row.kube, &row.slurm)), row.want) << row.what;
}

TEST(NodeSync, ADrainThatSlurmctldLostAtARestartIsSetAgainWithItsReason) {
  const Node ours = cordoned_for("fan");
  const slurm::Node forgotten = slurm_node({"IDLE"}, "fan");
  EXPECT_EQ(steps_text(facts_of(&ours, &forgotten)), "drain fan");
  for (const Node& node : {override_of("fan"), lifted("fan"), lifted_then_cordoned("fan")})
    EXPECT_EQ(steps_text(facts_of(&node, &forgotten)), "drain fan");
  // With our own reason it would be removed as soon as the node is ready.
  Node not_ready = cordoned_for("fan");
  not_ready.status.conditions[0].status = "False";
  EXPECT_EQ(steps_text(facts_of(&not_ready, &forgotten)), "drain fan");
}

TEST(NodeSync, ANodeThatIsBackGetsWorkOnlyWhenItIsSteady) {
  const Node node = kube_node();
  const slurm::Node drained = slurm_node({"IDLE", "DRAIN"}, "slurm-bridge: x");
  NodeFacts facts = facts_of(&node, &drained);
  facts.ready_for = seconds(3);
  const NodeSteps steps = next_node_steps(facts);
  EXPECT_TRUE(steps.steps.empty());
  EXPECT_EQ(steps.look_again, seconds(7));
}

TEST(NodeSync, ANodeThatWasDeletedIsDrainedIfItLivedOnlyThere) {
  const slurm::Node external = slurm_node();
  NodeFacts facts = facts_of(nullptr, &external);
  EXPECT_EQ(steps_text(facts), "");  // it may belong to another cluster
  facts.was_named = "k8s-1";
  EXPECT_EQ(steps_text(facts), "drain slurm-bridge: Kubernetes node (k8s-1) is gone");
  slurm::Node real = slurm_node();
  real.states = {"IDLE"};
  facts.slurm = &real;
  EXPECT_EQ(steps_text(facts), "");
  const slurm::Node forgot = slurm_node({"IDLE"}, "slurm-bridge: Kubernetes node (k8s-1) is gone");
  EXPECT_EQ(steps_text(facts_of(nullptr, &forgot)),
            "drain slurm-bridge: Kubernetes node (k8s-1) is gone");
  const slurm::Node drained = slurm_node({"IDLE", "DRAIN"}, kCordoned);
  EXPECT_EQ(steps_text(facts_of(nullptr, &drained)), "");
}

TEST(NodeSync, WithoutCordonsOursAreTakenBackAndNoneIsMade) {
  const slurm::Node drained = slurm_node({"IDLE", "DRAIN"}, "fan");
  const Node free = kube_node();
  NodeFacts facts = facts_of(&free, &drained);
  facts.options.cordon = false;
  EXPECT_EQ(steps_text(facts), "");
  const Node ours = cordoned_for("fan");
  facts.kube = &ours;
  EXPECT_EQ(steps_text(facts), "uncordon");
}

TEST(NodeSync, ANodeThatSlurmDoesNotKnowCostsNothing) {
  const Node plain = kube_node();
  EXPECT_EQ(steps_text(facts_of(&plain, nullptr)), "");
  const Node human = cordoned();
  EXPECT_EQ(steps_text(facts_of(&human, nullptr)), "");
  // What we set on it before Slurm lost the node is removed.
  const Node ours = cordoned_for("fan");
  EXPECT_EQ(steps_text(facts_of(&ours, nullptr)), "uncordon");
}

TEST(NodeSync, TaintsTheNodesThatSlurmKnowsAndNoOthers) {
  const slurm::Node known = slurm_node();
  const Node plain = kube_node();
  Node tainted = kube_node();
  tainted.spec.taints = {{"slinky.slurm.net/managed-node", "slurm-bridge-scheduler", "NoExecute"}};
  Node anothers = kube_node();
  anothers.spec.taints = {{"slinky.slurm.net/managed-node", "other", "NoExecute"}};
  const struct {
    const Node* kube;
    const slurm::Node* slurm;
    bool option;
    const char* want;
  } kRows[] = {
      {&plain, &known, true, "taint"},
      {&plain, &known, false, ""},
      {&plain, nullptr, true, ""},
      {&tainted, &known, true, ""},
      {&tainted, &known, false, "untaint"},
      {&tainted, nullptr, true, "untaint"},
      {&anothers, &known, true, "report TaintedByAnother"},
      {&anothers, nullptr, true, ""},
  };
  for (const auto& row : kRows) {
    NodeFacts facts = facts_of(row.kube, row.slurm);
    facts.options.taint = row.option;
    EXPECT_EQ(steps_text(facts), row.want) << (&row - kRows);
  }
}

TEST(NodeSync, ADrainComesBeforeTheTaint) {
  const Node node = cordoned();
  const slurm::Node known = slurm_node();
  NodeFacts facts = facts_of(&node, &known);
  facts.options.taint = true;
  EXPECT_EQ(steps_text(facts), std::string("drain ") + kCordoned + "; taint");
}

TEST(NodeSync, ReportsANodeThatSlurmLostSightOfAndHealsItIfItMay) {
  const Node node = labelled_node();
  const slurm::Node idle = made_node({"IDLE", "NOT_RESPONDING"});
  const slurm::Node busy = made_node({"MIXED", "NOT_RESPONDING"});
  const slurm::Node fixed = slurm_node({"IDLE", "NOT_RESPONDING"});
  const slurm::Node drained = made_node({"IDLE", "NOT_RESPONDING", "DRAIN"}, "fan");
  NodeFacts facts = facts_of(&node, &idle);
  EXPECT_EQ(steps_text(facts), "report NotRespondingInSlurm");
  facts.options.healNotResponding = true;
  EXPECT_EQ(steps_text(facts), "remove");
  facts.slurm = &busy;
  EXPECT_EQ(steps_text(facts), "report NotRespondingInSlurm");
  facts.slurm = &fixed;
  EXPECT_EQ(steps_text(facts), "report NotRespondingInSlurm");
  facts.slurm = &drained;  // an administrator's drain would be lost with it
  EXPECT_EQ(steps_text(facts), "cordon fan; report NotRespondingInSlurm");
}

}  // namespace
}  // namespace bridge::nodes
