// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/cordon.h"
#include "bridge/testing/nodes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>

namespace bridge::nodes {
namespace {

using namespace testing;

// Both systems, as far as these rules read and change them.
struct Pair {
  kube::Node kube;
  std::optional<slurm::Node> slurm;
  config::NodeSettings options;
  int writes = 0;

  NodeFacts facts() const {
    NodeFacts facts = facts_of(&kube, slurm ? &*slurm : nullptr);
    facts.options = options;
    return facts;
  }
  void set_state(const std::string& state, bool on) {
    std::erase(slurm->states, state);
    if (on) slurm->states.push_back(state);
  }

  // How the systems execute a step.
  void operator()(const RegisterNode& step) {
    slurm = made_node();
    slurm->comment = mark_text(step.wanted.mark);
    slurm->features = step.wanted.node.features;
  }
  void operator()(const MarkNode& step) { slurm->comment = mark_text(step.mark); }
  void operator()(const ChangeFeatures& step) { slurm->features = step.features; }
  void operator()(const ChangeTopology& step) { slurm->topology = step.topology; }
  void operator()(const DrainNode& step) {
    RC_ASSERT(!slurm->draining());  // no reason is overwritten
    set_state("DRAIN", true);
    slurm->reason = step.reason;
  }
  void operator()(const UndrainNode&) {
    RC_ASSERT(slurm->reason.starts_with("slurm-bridge:"));
    set_state("DRAIN", false);
    slurm->reason.clear();
  }
  void operator()(const RemoveNode&) {
    RC_ASSERT(slurm->dynamic() && read_mark(slurm->comment) == std::optional(kMark));
    RC_ASSERT(!slurm->busy());
    slurm.reset();
  }
  void operator()(const AddTaint&) {
    kube.spec.taints.push_back(managed_taint("slurm-bridge-scheduler"));
  }
  void operator()(const RemoveTaint&) {
    std::erase(kube.spec.taints, managed_taint("slurm-bridge-scheduler"));
  }
  void operator()(const Cordon& step) {
    RC_ASSERT(!kube.spec.unschedulable || cordoned(kube) == Cordoned::by_us);
    if (!std::exchange(kube.spec.unschedulable, true)) kube.cordoned_by = {"slurm-bridge"};
    kube.metadata.annotations[workload::kDrainReason] = step.reason;
  }
  void operator()(const Uncordon&) {
    RC_ASSERT(cordoned(kube) == Cordoned::by_us);
    kube.spec.unschedulable = false;
    kube.metadata.annotations.erase(workload::kDrainReason);
  }
  void operator()(const NoteLifted& step) {
    kube.metadata.annotations.erase(workload::kDrainReason);
    kube.metadata.annotations[workload::kCordonLifted] = step.reason;
  }
  void operator()(const ForgetCordon&) {
    kube.metadata.annotations.erase(workload::kDrainReason);
    kube.metadata.annotations.erase(workload::kCordonLifted);
  }
  void operator()(const Report&) { --writes; }
};

const std::vector<std::string> kReasons{
    "", "fan", "slurm-bridge: x", "disk", "slurm-bridge: Kubernetes node (k8s-1) is gone"};

slurm::Node any_slurm_node() {
  const bool made = *rc::gen::arbitrary<bool>();
  slurm::Node node = made ? made_node() : slurm_node();
  node.states[0] = *rc::gen::element<std::string>("IDLE", "MIXED", "ALLOCATED", "DOWN");
  if (*rc::gen::arbitrary<bool>()) node.states.emplace_back("DRAIN");
  if (*rc::gen::arbitrary<bool>()) node.states.emplace_back("NOT_RESPONDING");
  node.reason = *rc::gen::elementOf(kReasons);
  return node;
}

Pair any_pair() {
  Pair pair;
  pair.kube = kube_node(*rc::gen::element<std::string>("True", "True", "False", "Unknown"));
  if (*rc::gen::arbitrary<bool>()) pair.kube.metadata.labels[workload::kExternalNodeLabel] = "";
  if (*rc::gen::arbitrary<bool>()) pair.kube.status.capacity["cpu"] = base::Quantity::units(8);
  if (*rc::gen::arbitrary<bool>())
    pair.kube.metadata.annotations[workload::kExternalNodePartitions] = "a";
  pair.kube.spec.unschedulable = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>())
    pair.kube.metadata
        .annotations[*rc::gen::element(workload::kDrainReason, workload::kCordonLifted)] =
        *rc::gen::elementOf(kReasons);
  if (*rc::gen::arbitrary<bool>())
    pair.kube.cordoned_by = {*rc::gen::element<std::string>("slurm-bridge", "kubectl-cordon")};
  if (*rc::gen::inRange(0, 8) > 0) pair.slurm = any_slurm_node();
  pair.options = {
      *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
  return pair;
}

// Executes steps, one at a time and each on the current state, until none is left.
void settle(Pair& pair) {
  pair.writes = 0;
  for (int round = 0; round < 20; ++round) {
    const NodeSteps next = next_node_steps(pair.facts());
    const bool only_words = std::ranges::all_of(
        next.steps, [](const NodeStep& step) { return std::holds_alternative<Report>(step); });
    if (only_words) return;
    for (const NodeStep& step : next.steps) {
      if (std::holds_alternative<Report>(step)) continue;
      ++pair.writes;
      std::visit(pair, step);
      break;  // the others are decided again
    }
  }
  RC_FAIL("does not terminate");
}

RC_GTEST_PROP(NodeSyncProperty, BothRulesTerminateAndUndoNothingOfOthers, ()) {
  Pair pair = any_pair();
  const bool human_cordon = cordoned(pair.kube) == Cordoned::by_others;
  const bool human_drain =
      pair.slurm && pair.slurm->draining() && !pair.slurm->reason.starts_with("slurm-bridge:");
  const std::string reason = pair.slurm ? pair.slurm->reason : "";
  const bool removed_on_purpose =
      !asks_for_registration(pair.kube) && pair.slurm && read_mark(pair.slurm->comment);
  settle(pair);
  RC_ASSERT(pair.writes <= 8);
  if (human_cordon) {
    RC_ASSERT(cordoned(pair.kube) == Cordoned::by_others);
  }
  if (human_drain && !removed_on_purpose) {
    RC_ASSERT(pair.slurm.has_value());
    RC_ASSERT(pair.slurm->draining());
    RC_ASSERT(pair.slurm->reason == reason);
  }
  // In the end both systems agree.
  if (!pair.slurm) return;
  const bool unused = pair.slurm->draining() || pair.slurm->down();
  if (unusable(pair.kube)) RC_ASSERT(unused);
}

RC_GTEST_PROP(NodeSyncProperty, AnAdministratorWhoReplacesOurCordonKeepsTheirs, ()) {
  Pair pair = any_pair();
  pair.kube.status.conditions[0].status = "True";
  pair.options.cordon = true;
  pair.slurm = slurm_node({"IDLE", "DRAIN"}, "fan");
  pair.kube.spec.unschedulable = false;
  pair(ForgetCordon{});
  pair.kube.cordoned_by.clear();
  settle(pair);
  RC_ASSERT(cordoned(pair.kube) == Cordoned::by_us);
  pair.kube.spec.unschedulable = false;
  pair.kube.cordoned_by.clear();
  const bool seen = *rc::gen::arbitrary<bool>();
  if (seen) settle(pair);
  pair.kube.spec.unschedulable = true;
  if (!seen) pair.kube.cordoned_by = {"kubectl-cordon"};
  if (*rc::gen::arbitrary<bool>()) settle(pair);
  pair.set_state("DRAIN", false);
  pair.slurm->reason.clear();
  settle(pair);
  RC_ASSERT(pair.kube.spec.unschedulable);
  RC_ASSERT(pair.slurm->draining());
  RC_ASSERT(pair.slurm->reason.starts_with("slurm-bridge:"));
}

RC_GTEST_PROP(NodeSyncProperty, WhatAHumanDoesAfterwardsIsFollowedOnce, ()) {
  Pair pair = any_pair();
  pair.kube.status.conditions[0].status = "True";
  pair.options.cordon = true;
  pair.slurm = slurm_node();
  pair.kube.spec.unschedulable = false;
  pair(ForgetCordon{});
  pair.kube.cordoned_by.clear();
  settle(pair);
  // Slurm's administrator drains and resumes.
  pair.set_state("DRAIN", true);
  pair.slurm->reason = "fan";
  settle(pair);
  RC_ASSERT(pair.writes == 1);
  RC_ASSERT(pair.kube.spec.unschedulable);
  if (*rc::gen::arbitrary<bool>()) {  // slurmctld restarts in between
    pair.set_state("DRAIN", false);
    settle(pair);
    RC_ASSERT(pair.slurm->draining());
    RC_ASSERT(pair.slurm->reason == "fan");
    RC_ASSERT(pair.kube.spec.unschedulable);
  }
  pair.set_state("DRAIN", false);
  pair.slurm->reason.clear();
  settle(pair);
  RC_ASSERT(pair.writes == 1);
  RC_ASSERT(!pair.kube.spec.unschedulable);
  // The Kubernetes administrator cordons and uncordons.
  pair.kube.spec.unschedulable = true;
  settle(pair);
  RC_ASSERT(pair.writes == 1);
  RC_ASSERT(pair.slurm->draining());
  pair.kube.spec.unschedulable = false;
  settle(pair);
  RC_ASSERT(pair.writes == 1);
  RC_ASSERT(!pair.slurm->draining());
}

}  // namespace
}  // namespace bridge::nodes
