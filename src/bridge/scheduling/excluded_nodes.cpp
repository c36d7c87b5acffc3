// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/excluded_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace bridge::scheduling {
namespace {

using Names = std::vector<slurm::SlurmNodeName>;

void sort_names(Names& names) {
  std::ranges::sort(names);
  const auto [first, last] = std::ranges::unique(names);
  names.erase(first, last);
}

// FNV-1a: equal in every process and release, because the mark of a job outlives both.
std::uint64_t digest(const Names& names) {
  constexpr std::uint64_t kBasis = 0xcbf29ce484222325;
  constexpr std::uint64_t kPrime = 0x100000001b3;
  std::uint64_t value = kBasis;
  const auto mix = [&](char letter) {
    value = (value ^ static_cast<unsigned char>(letter)) * kPrime;
  };
  for (const slurm::SlurmNodeName& name : names) {
    for (const char letter : name.value()) mix(letter);
    mix(',');
  }
  return value;
}

}  // namespace

std::string excluded_nodes_mark(Names nodes) {
  sort_names(nodes);
  if (nodes.empty()) return {};
  return fmt::format("slurm-bridge: {} {} left out that cannot take the pod ({:016x})",
                     nodes.size(),
                     nodes.size() == 1 ? "node" : "nodes",
                     digest(nodes));
}

std::optional<slurm::JobUpdate> excluded_nodes_update(const slurm::Job& job,
                                                      Names wanted,
                                                      const std::set<slurm::SlurmNodeName>& known) {
  if (!job.required_nodes.empty() || !job.node_lists_readable) return std::nullopt;
  Names has = job.excluded_nodes;
  sort_names(has);
  const bool ours = job.comment == excluded_nodes_mark(has);
  if (!ours) wanted.insert(wanted.end(), has.begin(), has.end());
  std::erase_if(wanted, [&](const slurm::SlurmNodeName& name) { return !known.contains(name); });
  sort_names(wanted);
  if (wanted == has) return std::nullopt;
  // A list that is not ours is not changed only because one of its nodes was removed from Slurm.
  if (!ours && std::ranges::includes(has, wanted)) return std::nullopt;

  slurm::JobUpdate update;
  if (ours) update.comment = excluded_nodes_mark(wanted);
  update.excluded_nodes = std::move(wanted);
  return update;
}

}  // namespace bridge::scheduling
