// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/step_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bridge::nodes {
namespace {

struct Name {
  std::string_view operator()(const RegisterNode&) const { return "register node"; }
  std::string_view operator()(const MarkNode&) const { return "mark node"; }
  std::string_view operator()(const ChangeFeatures&) const { return "set features"; }
  std::string_view operator()(const ChangeTopology&) const { return "set topology"; }
  std::string_view operator()(const DrainNode&) const { return "drain"; }
  std::string_view operator()(const UndrainNode&) const { return "undrain"; }
  std::string_view operator()(const RemoveNode&) const { return "remove node"; }
  std::string_view operator()(const AddTaint&) const { return "taint"; }
  std::string_view operator()(const RemoveTaint&) const { return "untaint"; }
  std::string_view operator()(const Cordon&) const { return "cordon"; }
  std::string_view operator()(const Uncordon&) const { return "uncordon"; }
  std::string_view operator()(const NoteLifted&) const { return "note lifted cordon"; }
  std::string_view operator()(const ForgetCordon&) const { return "forget cordon"; }
  std::string_view operator()(const Report&) const { return "report"; }
};

struct Detail {
  std::string operator()(const RegisterNode& step) const {
    const slurm::NewNode& node = step.wanted.node;
    return fmt::format("{} {} {} {} {} {} {}",
                       node.cores,
                       node.threads,
                       node.memory_mib,
                       node.gres_conf,
                       fmt::join(node.features, ","),
                       node.topology,
                       node.address);
  }
  std::string operator()(const MarkNode& step) const { return mark_text(step.mark); }
  std::string operator()(const ChangeFeatures& step) const {
    return fmt::format("{}", fmt::join(step.features, ","));
  }
  std::string operator()(const ChangeTopology& step) const { return step.topology; }
  std::string operator()(const DrainNode& step) const { return step.reason; }
  std::string operator()(const Cordon& step) const { return step.reason; }
  std::string operator()(const NoteLifted& step) const { return step.reason; }
  std::string operator()(const Report& step) const { return step.reason + " " + step.message; }
  std::string operator()(const UndrainNode&) const { return ""; }
  std::string operator()(const RemoveNode&) const { return ""; }
  std::string operator()(const AddTaint&) const { return ""; }
  std::string operator()(const RemoveTaint&) const { return ""; }
  std::string operator()(const Uncordon&) const { return ""; }
  std::string operator()(const ForgetCordon&) const { return ""; }
};

template <class... Kinds>
bool is_one_of(const NodeStep& step) {
  return (std::holds_alternative<Kinds>(step) || ...);
}

}  // namespace

std::string_view step_name(const NodeStep& step) {
  return std::visit(Name{}, step);
}

std::string step_text(const NodeStep& step) {
  return fmt::format("{}: {}", step_name(step), std::visit(Detail{}, step));
}

bool changes_slurm_node(const NodeStep& step) {
  return is_one_of<MarkNode, ChangeFeatures, ChangeTopology, DrainNode, UndrainNode, RemoveNode>(
      step);
}

bool asks_slurm(const NodeStep& step) {
  return changes_slurm_node(step) || std::holds_alternative<RegisterNode>(step);
}

}  // namespace bridge::nodes
