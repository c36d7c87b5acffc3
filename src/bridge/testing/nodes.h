// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: nodes, facts and texts of steps for the tests of bridge/nodes.
#include "bridge/nodes/sync.h"
#include "workload/wellknown.h"

#include <string>
#include <utility>

namespace bridge::testing {

inline kube::Node kube_node(std::string ready = "True") {
  kube::Node node;
  node.metadata.name = "k8s-1";
  node.metadata.uid = kube::Uid("n-1");
  node.metadata.resourceVersion = "5";
  node.status.conditions.push_back({"Ready", std::move(ready), "", "", ""});
  node.status.capacity["cpu"] = base::Quantity::units(16);
  node.status.capacity["memory"] = *base::Quantity::parse("64Gi");
  return node;
}

inline kube::Node labelled_node() {
  kube::Node node = kube_node();
  node.metadata.labels[workload::kExternalNodeLabel] = "true";
  return node;
}

// An external node that is defined in slurm.conf.
inline slurm::Node slurm_node(std::vector<std::string> states = {"IDLE"}, std::string reason = "") {
  slurm::Node node;
  node.name = slurm::SlurmNodeName("s1");
  node.states = std::move(states);
  node.states.emplace_back("EXTERNAL");
  node.reason = std::move(reason);
  node.cpus = 16;
  node.real_memory_mib = 65536;
  return node;
}

inline const nodes::NodeMark kMark{"cluster-1", "k8s-1", 16, 65536};

// A registered node.
inline slurm::Node made_node(std::vector<std::string> states = {"IDLE"}, std::string reason = "") {
  slurm::Node node = slurm_node(std::move(states), std::move(reason));
  node.states.emplace_back("DYNAMIC_NORM");
  node.comment = mark_text(kMark);
  return node;
}

inline nodes::NodeFacts facts_of(const kube::Node* kube, const slurm::Node* slurm) {
  nodes::NodeFacts facts;
  facts.name = slurm::SlurmNodeName("s1");
  facts.kube = kube;
  facts.slurm = slurm;
  facts.ready_for = std::chrono::minutes(5);
  facts.cluster = "cluster-1";
  facts.scheduler_name = "slurm-bridge-scheduler";
  facts.options.taint = false;  // the taint has its own tests
  return facts;
}

// A step as readable text.
struct StepText {
  std::string operator()(const nodes::RegisterNode& s) const {
    return "register " + s.wanted.node.name.value();
  }
  std::string operator()(const nodes::MarkNode&) const { return "mark"; }
  std::string operator()(const nodes::ChangeFeatures& s) const {
    std::string text = "features";
    for (const std::string& feature : s.features) text += " " + feature;
    return text;
  }
  std::string operator()(const nodes::ChangeTopology& s) const { return "topology " + s.topology; }
  std::string operator()(const nodes::DrainNode& s) const { return "drain " + s.reason; }
  std::string operator()(const nodes::UndrainNode&) const { return "undrain"; }
  std::string operator()(const nodes::RemoveNode&) const { return "remove"; }
  std::string operator()(const nodes::AddTaint&) const { return "taint"; }
  std::string operator()(const nodes::RemoveTaint&) const { return "untaint"; }
  std::string operator()(const nodes::Cordon& s) const { return "cordon " + s.reason; }
  std::string operator()(const nodes::Uncordon&) const { return "uncordon"; }
  std::string operator()(const nodes::NoteLifted& s) const { return "note lifted " + s.reason; }
  std::string operator()(const nodes::ForgetCordon&) const { return "forget cordon"; }
  std::string operator()(const nodes::Report& s) const { return "report " + s.reason; }
};

inline std::string steps_text(const nodes::NodeFacts& facts) {
  std::string text;
  for (const nodes::NodeStep& step : next_node_steps(facts).steps) {
    if (!text.empty()) text += "; ";
    text += std::visit(StepText{}, step);
  }
  return text;
}

}  // namespace bridge::testing
