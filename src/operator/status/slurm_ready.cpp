// SPDX-License-Identifier: Apache-2.0
#include "operator/status/slurm_ready.h"

#include "base/overloaded.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace slurmop::status {
namespace {

constexpr std::size_t kMostNodesNamed = 3;

bool is_up(const std::string& partition, const workers::SlurmKnown& slurm) {
  return std::ranges::any_of(slurm.partitions, [&](const slurm::Partition& candidate) {
    return candidate.name == partition && candidate.up;
  });
}

std::string described(const slurm::Node& node) {
  std::string text = fmt::format("{} is {}", node.name.value(), fmt::join(node.states, "+"));
  if (!node.reason.empty()) text += fmt::format(" ({})", node.reason);
  return text;
}

std::string unusable_nodes(const workers::SlurmKnown& slurm) {
  if (slurm.nodes.empty()) return "no worker has registered with slurmctld";
  std::vector<std::string> texts;
  for (const auto& [name, node] : slurm.nodes) {
    if (texts.size() == kMostNodesNamed) {
      texts.push_back(fmt::format("and {} more", slurm.nodes.size() - kMostNodesNamed));
      break;
    }
    texts.push_back(described(node));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

kube::Condition from_known(const workers::SlurmKnown& slurm, std::int64_t desired_workers) {
  const auto usable = std::ranges::count_if(
      slurm.nodes, [&](const auto& entry) { return is_usable(entry.second, slurm); });
  if (usable > 0) {
    // Without the number of nodes: the condition must not change with every worker.
    return {"Ready", "True", "JobsCanRun", "Slurm reports at least one node that can run jobs"};
  }
  if (desired_workers == 0)
    return {"Ready", "False", "NoWorkers", "the desired number of workers is 0"};
  return {"Ready", "False", "NoUsableNode", "Slurm cannot start jobs: " + unusable_nodes(slurm)};
}

}  // namespace

bool is_usable(const slurm::Node& node, const workers::SlurmKnown& slurm) {
  if (node.down() || node.draining() || node.not_responding()) return false;
  if (!node.busy() && !node.has_state("IDLE")) return false;
  return std::ranges::any_of(node.partitions,
                             [&](const std::string& name) { return is_up(name, slurm); });
}

kube::Condition ready_condition(const workers::SlurmView& slurm, std::int64_t desired_workers) {
  return std::visit(base::Overloaded{[](const workers::SlurmUnknown& unknown) -> kube::Condition {
                                       return {"Ready", "Unknown", "SlurmUnknown", unknown.why};
                                     },
                                     [&](const workers::SlurmKnown& known) {
                                       return from_known(known, desired_workers);
                                     }},
                    slurm);
}

}  // namespace slurmop::status
